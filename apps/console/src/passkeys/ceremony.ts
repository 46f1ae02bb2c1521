import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { PalyraError, isJsonObject } from '@palyra/kernel';
import type { BeginStepUpRequestSchema } from '@palyra/protocol';
import { gateway } from '../wire/gateway.ts';

/** The very request that will be sent, without its assertion. */
export type Confirms = NonNullable<MessageInitShape<typeof BeginStepUpRequestSchema>['confirms']>;

/** Asks a passkey to confirm one thing and nothing else; gives what the request has to carry. */
export async function confirmWithPasskey(confirms: Confirms): Promise<string> {
  const { options } = await gateway.passkeys.beginStepUp({ confirms });
  const optionsJSON: unknown = JSON.parse(options);
  if (!isRequest(optionsJSON)) throw unreadable();
  const { startAuthentication } = await webauthn();
  return JSON.stringify(await asked(startAuthentication({ optionsJSON })));
}

/** Makes a new one. Contract: gives its JSON for the gateway, which does not know it yet. */
export async function createCredential(options: string): Promise<string> {
  const optionsJSON: unknown = JSON.parse(options);
  if (!isCreation(optionsJSON)) throw unreadable();
  const { startRegistration } = await webauthn();
  return JSON.stringify(await asked(startRegistration({ optionsJSON })));
}

/** Only whoever needs it loads it. */
async function webauthn() {
  return await import('@simplewebauthn/browser');
}

function isRequest(value: unknown): value is PublicKeyCredentialRequestOptionsJSON {
  return isJsonObject(value) && typeof value['challenge'] === 'string';
}

function isCreation(value: unknown): value is PublicKeyCredentialCreationOptionsJSON {
  return isJsonObject(value) && typeof value['challenge'] === 'string' && isJsonObject(value['rp']);
}

function unreadable(): PalyraError {
  return new PalyraError('UNEXPECTED', 'the gateway began no ceremony that a browser knows');
}

/** Browsers tell little of why not, so that pages learn nothing about keys that are not theirs. */
async function asked<Shown>(ceremony: Promise<Shown>): Promise<Shown> {
  try {
    return await ceremony;
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const { message, help } = TROUBLES[cause.name] ?? OTHER;
    throw new PalyraError('CANCELLED', message, { cause, help });
  }
}

interface Trouble {
  readonly message: string;
  readonly help: string;
}

const OTHER: Trouble = {
  message: 'the passkey was not used',
  help: 'try again, and follow what the browser asks for',
};

const TROUBLES: Readonly<Record<string, Trouble>> = {
  InvalidStateError: {
    message: 'this authenticator holds a passkey for you already',
    help: 'choose another authenticator',
  },
  NotSupportedError: {
    message: 'this browser has no passkeys',
    help: 'open the console in a browser that has them',
  },
};
