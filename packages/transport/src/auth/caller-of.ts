import type { AccessPort, Caller, PolicyFlows, SessionCaller } from '@palyra/gateway';
import { type Clock, PalyraError } from '@palyra/kernel';
import type { ConsoleSession } from '@palyra/protocol';
import type { CertificateProof, LinkCertificate } from './link.ts';
import type { SessionProofs, SignedCall } from './session-proofs.ts';

/** What a request brings along to prove whose it is. */
export type Proof = CertificateProof | TokenProof | SessionProof;

/** On the device port beside a certificate that must hold too; on the console port alone. */
export interface TokenProof {
  readonly by: 'token';
  readonly text: string;
  readonly certificate?: LinkCertificate;
}

/** Carried by a device, the session must be of the same member as that. */
export interface HeldSession {
  readonly by: 'session';
  /** Of the cookie. */
  readonly secret: string;
  readonly certificate?: LinkCertificate;
}

export interface SessionProof extends HeldSession {
  readonly signed: SignedCall;
}

/** What is left of a proof once it has counted. */
type Held = CertificateProof | TokenProof | HeldSession;

export interface Known {
  readonly caller: Caller;
  /** Set when a console session is the proof. */
  readonly session?: ConsoleSession;
}

/** What the rules say of a caller. */
export type Rules = Pick<PolicyFlows, 'authorise'>;

export interface StandingSources {
  readonly access: AccessPort;
  readonly clock: Clock;
}

export interface CallerSources extends StandingSources {
  readonly proofs: Pick<SessionProofs, 'admit'>;
}

/**
 * Asked for every request, once: a proof of a session counts once. Contract: rejects with
 * UNAUTHENTICATED, DEVICE_REVOKED or RATE_LIMITED.
 */
export async function callerOf(proof: Proof, sources: CallerSources): Promise<Known> {
  if (proof.by !== 'session') {
    return await lookUp(proof, sources, (text) => sources.access.byToken(text));
  }
  const known = await ofSession(proof, sources);
  sources.proofs.admit(proof.signed, known.session);
  return known;
}

/** Asked again while it is open. Contract: rejects with UNAUTHENTICATED or DEVICE_REVOKED. */
export function stillCallerOf(proof: Held, sources: StandingSources): Promise<Known> {
  return lookUp(proof, sources, (text) => sources.access.stillToken(text));
}

async function lookUp(
  proof: Held,
  sources: StandingSources,
  ofToken: (text: string) => Promise<Caller>,
): Promise<Known> {
  switch (proof.by) {
    case 'certificate':
      return { caller: await holder(proof.certificate, sources) };
    case 'token':
      // First, so that a certificate that does not hold takes nothing from the token's bucket.
      if (proof.certificate !== undefined) await holder(proof.certificate, sources);
      return { caller: await ofToken(proof.text) };
    case 'session':
      return await ofSession(proof, sources);
  }
}

async function ofSession(
  { certificate, secret }: HeldSession,
  sources: StandingSources,
): Promise<SessionCaller> {
  const carrier = certificate === undefined ? undefined : await holder(certificate, sources);
  const known = await sources.access.bySession(secret);
  if (carrier !== undefined) requireSameMember(carrier, known.caller);
  return known;
}

/** TLS has looked at the dates once, and a connection may stay open for longer than a day. */
async function holder(certificate: LinkCertificate, sources: StandingSources): Promise<Caller> {
  if (sources.clock.now() >= certificate.notAfter) {
    throw new PalyraError('UNAUTHENTICATED', 'the certificate of this device has expired', {
      help: 'connect again; a device renews its certificate by itself while it is valid',
    });
  }
  return await sources.access.byCertificate(certificate);
}

function requireSameMember(carrier: Caller, owner: Caller): void {
  const userId = carrier.member?.userId;
  if (userId !== undefined && userId === owner.member?.userId) return;
  throw new PalyraError('UNAUTHENTICATED', 'the session is not of the member who carries it', {
    help: 'open the console with `palyra console`',
  });
}
