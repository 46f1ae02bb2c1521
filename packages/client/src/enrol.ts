import type { X509Certificate } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import { PalyraError } from '@palyra/kernel';
import {
  type DeviceKind,
  type FinishPairingResponse,
  type PairingIssued,
  PairingSecret,
  type PairingWaiting,
} from '@palyra/protocol';
import { serverNameOf } from './device-identity.ts';
import { type DeviceKey, makeDeviceKey, toPem } from './device-key.ts';
import {
  type Credential,
  acceptIssue,
  authorityIdOf,
  fingerprintOf,
  isIssuedBy,
  readCertificate,
} from './issued-certificate.ts';
import { type StrangerConnection, connectAsStranger } from './stranger-connection.ts';

/** A person answers within the five minutes of a pairing, and a certificate follows at once. */
const ANSWER_DEADLINE_MS = 11 * 60_000;

/** How a new device proves that it may become one. */
export type EnrolmentSecret =
  | {
      readonly kind: 'pin';
      readonly pin: string;
      /** Needed where more than one pairing waits. */
      readonly pairingId?: string;
      /** The one that this device knows already: a gateway that has another one too shows that. */
      readonly authorityId?: string | undefined;
    }
  | {
      readonly kind: 'link';
      readonly pairingId: string;
      readonly token: string;
      /** SHA-256 of the gateway's authority, in hex. */
      readonly authorityFingerprint: string;
    }
  | {
      readonly kind: 'local';
      readonly secret: string;
      /** DER, base64. */
      readonly authorities: readonly string[];
    };

export interface Enrolment {
  readonly address: string;
  readonly secret: EnrolmentSecret;
  readonly name: string;
  readonly kind: DeviceKind;
  readonly signal: AbortSignal;
  /** Looks at who answers before anything is said. Contract: throws to refuse it. */
  readonly onServer?: ((server: X509Certificate) => void) | undefined;
  /** The gateway knows that we know the secret; now a person has to confirm us. */
  readonly onWaiting?: (waiting: WaitingDevice) => void;
}

export interface WaitingDevice {
  readonly pairingId: string;
  readonly expiresAt: string;
  /** What the person at the gateway sees of us. */
  readonly keyFingerprint: string;
}

export interface Enrolled {
  readonly deviceId: string;
  readonly credential: Credential;
  readonly keyFingerprint: string;
}

/**
 * Becomes a device of a gateway. INVARIANT: nothing that the other side says is believed before it
 * has proven that it knows the secret too, and no key leaves this machine.
 */
export async function enrol(enrolment: Enrolment): Promise<Enrolled> {
  const { address, secret, signal } = enrolment;
  const key = await makeDeviceKey();
  using connection = await connectAsStranger(address, tlsFor(secret), signal);
  enrolment.onServer?.(connection.serverCertificate);
  const agreement = await agree(enrolment, key, connection);
  const issued = await finish(enrolment, key, { ...agreement, connection });
  const { isIssuedProof } = await import('@palyra/pake');
  if (!isIssuedProof(agreement.sharedKey, issued, issued.proof)) throw refused();
  checkServer(secret, connection.serverCertificate, issued.authorities);
  const credential = acceptIssue({ ...issued, key: key.key });
  return { deviceId: issued.deviceId, credential, keyFingerprint: key.fingerprint };
}

/** The gateway's authority is not known yet, except on its own machine; the proof stands in for it. */
function tlsFor(secret: EnrolmentSecret): ConnectionOptions {
  switch (secret.kind) {
    case 'pin': {
      const { authorityId } = secret;
      const servername = authorityId === undefined ? '' : serverNameOf(authorityId);
      return { rejectUnauthorized: false, servername };
    }
    case 'link': {
      const authorityId = secret.authorityFingerprint.slice(0, 32);
      return { rejectUnauthorized: false, servername: serverNameOf(authorityId) };
    }
    case 'local': {
      const authorities = secret.authorities.map((text) => Buffer.from(text, 'base64'));
      const [active] = authorities;
      if (active === undefined) throw new TypeError('a door without authorities was read');
      return {
        ca: authorities.map((der) => toPem('CERTIFICATE', der)),
        servername: serverNameOf(authorityIdOf(active)),
      };
    }
  }
}

interface Agreed {
  readonly exchangeId: string;
  readonly sharedKey: Uint8Array;
  readonly confirmation: Uint8Array;
}

async function agree(
  { secret, name, kind, signal }: Enrolment,
  key: DeviceKey,
  { client, serverCertificate }: StrangerConnection,
): Promise<Agreed> {
  const { createProver, pairingContext } = await import('@palyra/pake');
  const claim = { ...claimOf(secret), name, kind, certificateRequest: key.request };
  const serverFingerprint = Buffer.from(fingerprintOf(serverCertificate.raw), 'hex');
  const prover = await createProver({
    password: passwordOf(secret),
    context: pairingContext({ ...claim, serverFingerprint }),
  });
  const { share } = prover;
  const answer = await client.pairing.beginPairing({ ...claim, share }, { signal });
  const agreement = prover.finish(answer.share, answer.confirmation);
  if (agreement === undefined) throw refused();
  const { sharedKey, confirmation } = agreement;
  return { exchangeId: answer.exchangeId, sharedKey, confirmation };
}

async function finish(
  { signal, onWaiting }: Enrolment,
  { fingerprint }: DeviceKey,
  said: Agreed & { readonly connection: StrangerConnection },
): Promise<PairingIssued> {
  const { exchangeId, confirmation, connection } = said;
  const events: AsyncIterable<FinishPairingResponse> = connection.client.pairing.finishPairing(
    { exchangeId, confirmation },
    // Not as a deadline of the call: its timer would outlive a stream that is left early.
    { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_DEADLINE_MS)]) },
  );
  for await (const { event } of events) {
    if (event.case === 'issued') return event.value;
    if (event.case === 'waiting') onWaiting?.(waitingDevice(event.value, fingerprint));
  }
  throw new PalyraError('PAIRING_ENDED', 'the gateway ended the pairing without a certificate');
}

function waitingDevice(waiting: PairingWaiting, keyFingerprint: string): WaitingDevice {
  const { pairingId, expiresAt } = waiting;
  return { pairingId, expiresAt, keyFingerprint };
}

/** The link names the authority: the connection must have been with a server of that very one. */
function checkServer(
  secret: EnrolmentSecret,
  server: X509Certificate,
  authorities: readonly Uint8Array[],
): void {
  const expected = secret.kind === 'link' ? secret.authorityFingerprint : undefined;
  const isKnown = authorities.some(
    (der) =>
      (expected === undefined || fingerprintOf(der) === expected) &&
      isIssuedBy(server, readCertificate(der)),
  );
  if (isKnown) return;
  throw new PalyraError('GATEWAY_UNTRUSTED', 'the gateway is not of the authority that it names');
}

function claimOf(secret: EnrolmentSecret): {
  readonly pairingId: string;
  readonly secret: PairingSecret;
} {
  switch (secret.kind) {
    case 'pin':
      return { pairingId: secret.pairingId ?? '', secret: PairingSecret.PIN };
    case 'link':
      return { pairingId: secret.pairingId, secret: PairingSecret.TOKEN };
    case 'local':
      return { pairingId: '', secret: PairingSecret.LOCAL };
  }
}

function passwordOf(secret: EnrolmentSecret): string {
  switch (secret.kind) {
    case 'pin':
      return secret.pin;
    case 'link':
      return secret.token;
    case 'local':
      return secret.secret;
  }
}

/** Contract: says the same for a wrong secret and for somebody in between; nobody can tell them apart. */
function refused(): PalyraError {
  return new PalyraError(
    'PAIRING_REFUSED',
    'the other side does not know the same secret: it is wrong, or somebody stands in between',
  );
}
