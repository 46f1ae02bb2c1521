import { type Log, redact } from '@palyra/kernel';
import type { KeptPasskey } from '@palyra/protocol';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as z from 'zod';
import { RELYING_PARTY } from './visit.ts';

/** ES256, EdDSA, RS256: what authenticators have, and what Node verifies by itself. */
export const ALGORITHMS: readonly number[] = [-7, -8, -257];

/** Loaded with the first passkey: a start need not wait for it. */
export const webauthn = () => import('@simplewebauthn/server');
const readers = () => import('@simplewebauthn/server/helpers');

const clientDataShape = z.object({
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().default(false),
  topOrigin: z.string().optional(),
});

/** What the browser itself says of the ceremony. */
export type ClientData = z.infer<typeof clientDataShape>;

/** Contract: `undefined` for what cannot be read. Nothing of it is proven before it is verified. */
export async function clientDataOf(clientDataJSON: string): Promise<ClientData | undefined> {
  const { decodeClientDataJSON } = await readers();
  try {
    return clientDataShape.safeParse(decodeClientDataJSON(clientDataJSON)).data;
  } catch {
    // What came of it is the same as for any other text that says nothing.
    return undefined;
  }
}

/** The page that is shown to a person, and no page around it. */
export function isFromPage({ origin, crossOrigin, topOrigin }: ClientData, page: string): boolean {
  return origin === page && !crossOrigin && topOrigin === undefined;
}

export interface VerifiedKey extends Pick<KeptPasskey, 'credentialId' | 'publicKey' | 'counter'> {
  readonly isSynced: boolean;
}

interface Expected {
  readonly challenge: string;
  readonly origin: string;
  /** Told what was wrong, which whoever guesses need not know. */
  readonly log: Log;
}

/** Contract: `undefined` for whatever does not verify. */
export async function verifyCreation(
  response: RegistrationResponseJSON,
  { challenge, origin, log }: Expected,
): Promise<VerifiedKey | undefined> {
  const { verifyRegistrationResponse } = await webauthn();
  return await unlessFaulty(log, async () => {
    if (!(await isWithoutCertificates(response.response.attestationObject))) return undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: RELYING_PARTY,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (registrationInfo === undefined) return undefined;
    const { credential, credentialDeviceType } = registrationInfo;
    return {
      credentialId: new Uint8Array(Buffer.from(credential.id, 'base64url')),
      publicKey: new Uint8Array(credential.publicKey),
      counter: credential.counter,
      isSynced: credentialDeviceType === 'multiDevice',
    };
  });
}

/** The counter that the authenticator tells now. Contract: `undefined` for whatever does not verify. */
export async function verifyAssertion(
  response: AuthenticationResponseJSON,
  key: KeptPasskey,
  { challenge, origin, log }: Expected,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webauthn();
  return await unlessFaulty(log, async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: RELYING_PARTY,
      requireUserVerification: true,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(key.publicKey),
        counter: key.counter,
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  });
}

/**
 * We ask for no attestation, and browsers send none, or one that the key itself has signed.
 * INVARIANT: a statement with certificates goes no further. To verify them, the library would fetch
 * whatever address they name for a list of revoked ones.
 */
async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await readers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  if (format === 'none') return true;
  return format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
}

/** The library throws for all that is wrong. */
async function unlessFaulty<Found>(
  log: Log,
  verify: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  try {
    return await verify();
  } catch (reason) {
    log.info('a passkey did not verify', { error: redact(reason) });
    return undefined;
  }
}
