import { PalyraError } from '@palyra/kernel';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import * as z from 'zod';

const MAX_CREDENTIAL = 16_384;
const MAX_ASSERTION = 8_192;
const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'usb'] as const;
const MAX_TRANSPORTS = 16;

const encoded = z
  .string()
  .max(MAX_CREDENTIAL)
  .regex(/^[A-Za-z0-9_-]+$/);
/** WebAuthn allows an id 1,023 bytes. */
const credentialId = encoded.max(1_364);

const credentialShape = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string()).max(MAX_TRANSPORTS).default([]),
  }),
});

const assertionShape = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: encoded, authenticatorData: encoded, signature: encoded }),
});

/** What a browser says of a new key. Contract: throws INVALID_INPUT; nothing of it is verified. */
export function readCredential(text: string): RegistrationResponseJSON {
  const { response, ...rest } = parse(text, MAX_CREDENTIAL, credentialShape);
  const transports = knownTransports(response.transports);
  return { ...rest, response: { ...response, transports }, clientExtensionResults: {} };
}

/** What a browser says of a key that it has used. Contract: as for a credential. */
export function readAssertion(text: string): AuthenticationResponseJSON {
  return { ...parse(text, MAX_ASSERTION, assertionShape), clientExtensionResults: {} };
}

/** Words that browsers may add later are left out: they only hint at where to look for a passkey. */
export function knownTransports(words: readonly string[]): AuthenticatorTransport[] {
  return TRANSPORTS.filter((each) => words.includes(each));
}

function parse<Shape>(text: string, most: number, shape: z.ZodType<Shape>): Shape {
  if (text === '') throw malformed('no passkey was shown');
  if (text.length > most) throw malformed(`what the browser says is over ${most} characters long`);
  const parsed = shape.safeParse(jsonIn(text));
  if (!parsed.success) throw malformed('what the browser says is not the answer of a passkey');
  return parsed.data;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (reason) {
    throw malformed('what the browser says is not JSON', reason);
  }
}

function malformed(message: string, cause?: unknown): PalyraError {
  return new PalyraError('INVALID_INPUT', message, {
    help: 'send what `startRegistration` or `startAuthentication` gave, as JSON',
    cause,
  });
}
