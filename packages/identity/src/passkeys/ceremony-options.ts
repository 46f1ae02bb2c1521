import type { KeptPasskey, PasskeyChallenge } from '@palyra/protocol';
import type { CallerMember } from '../caller.ts';
import { knownTransports } from './authenticator-answer.ts';
import { CHALLENGE_MS } from './challenge.ts';
import { RELYING_PARTY } from './visit.ts';
import { ALGORITHMS, webauthn } from './webauthn.ts';

/** What a browser is told to begin with, as JSON for it. */
export interface Ceremony {
  readonly options: string;
  readonly expiresAt: string;
}

/** For a new passkey; one that is known already is not made again. */
export async function creationCeremony(
  { challenge, expiresAt }: PasskeyChallenge,
  { userId, name }: CallerMember,
  known: readonly KeptPasskey[],
): Promise<Ceremony> {
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpID: RELYING_PARTY,
    rpName: 'Palyra',
    userID: new TextEncoder().encode(userId),
    userName: name,
    userDisplayName: name,
    challenge: new Uint8Array(challenge),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: [...ALGORITHMS],
  });
  return { options: JSON.stringify(options), expiresAt };
}

/** For one of those that are known. */
export async function stepUpCeremony(
  { challenge, expiresAt }: PasskeyChallenge,
  known: readonly KeptPasskey[],
): Promise<Ceremony> {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: RELYING_PARTY,
    challenge: new Uint8Array(challenge),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: known.map(descriptorOf),
  });
  return { options: JSON.stringify(options), expiresAt };
}

function descriptorOf({ credentialId, passkey }: KeptPasskey) {
  return {
    id: Buffer.from(credentialId).toString('base64url'),
    transports: knownTransports(passkey?.transports ?? []),
  };
}
