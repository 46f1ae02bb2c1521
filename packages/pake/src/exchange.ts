import { sha256 } from '@noble/hashes/sha2.js';
import { type Bytes, areEqual, lengthPrefixed, utf8 } from './bytes.ts';
import { decodePoint, randomScalar } from './group.ts';
import { deriveSecret } from './password.ts';
import {
  type Confirmations,
  type Keys,
  type ProverSecret,
  type SecretPoints,
  type Setting,
  type Shares,
  type Verifier,
  confirmationsOf,
  keysOf,
  pointsOfProver,
  pointsOfVerifier,
  proverShare,
  transcriptOf,
  verifierShare,
} from './spake2plus.ts';

/** What both sides have in common once each knows that the other knows the password. */
export interface Agreement {
  /** 256 bits that nobody else has. */
  readonly sharedKey: Bytes;
  /** SHA-256 of everything that was said. Tells nothing about the key: fit for the journal. */
  readonly transcriptHash: Bytes;
}

/** The verifier's side, between the first message and the second. */
export interface Response {
  readonly share: Bytes;
  readonly confirmation: Bytes;
  /** Contract: `undefined` unless the other side knows the password; one call, then it is spent. */
  accept(confirmation: Uint8Array): Agreement | undefined;
}

export interface RespondInput {
  readonly verifier: Verifier;
  readonly context: Uint8Array;
  /** The first message of the prover. */
  readonly share: Uint8Array;
}

/** Contract: `undefined` for a share that is no usable point. */
export function respond(input: RespondInput): Response | undefined {
  return respondWith(input.verifier, randomScalar(), input);
}

/** For who has the scalar: `y` must be random and used once. */
export function respondWith(
  verifier: Verifier,
  y: bigint,
  said: { readonly context: Uint8Array; readonly share: Uint8Array },
): Response | undefined {
  const points = pointsOfVerifier(verifier, y, said.share);
  if (points === undefined) return undefined;
  const shares = { prover: said.share, verifier: verifierShare(verifier.w0, y) };
  const ending = endingOf(said.context, shares, { ...points, w0: verifier.w0 });
  let isSpent = false;
  return {
    share: shares.verifier,
    confirmation: ending.confirmations.verifier,
    accept: (confirmation) => {
      const isFirst = !isSpent;
      isSpent = true;
      const isTheirs = areEqual(confirmation, ending.confirmations.prover);
      return isFirst && isTheirs ? ending.agreement : undefined;
    },
  };
}

/** The side of the new device. */
export interface Prover {
  /** The first message. */
  readonly share: Bytes;
  /** Contract: `undefined` unless the other side knows the password and saw the same context. */
  finish(share: Uint8Array, confirmation: Uint8Array): ProverAgreement | undefined;
}

export interface ProverAgreement extends Agreement {
  /** The second message. */
  readonly confirmation: Bytes;
}

export interface ProverInput {
  readonly password: string;
  readonly context: Uint8Array;
}

export async function createProver({ password, context }: ProverInput): Promise<Prover> {
  return proverWith(await deriveSecret(password), randomScalar(), context);
}

/** For who has the scalar: `x` must be random and used once. */
export function proverWith(secret: ProverSecret, x: bigint, context: Uint8Array): Prover {
  const own = proverShare(secret.w0, x);
  return {
    share: own,
    finish: (share, confirmation) => {
      const points = pointsOfProver(secret, x, share);
      if (points === undefined) return undefined;
      const shares = { prover: own, verifier: share };
      const { confirmations, agreement } = endingOf(context, shares, { ...points, w0: secret.w0 });
      if (!areEqual(confirmation, confirmations.verifier)) return undefined;
      return { ...agreement, confirmation: confirmations.prover };
    },
  };
}

/** Whether bytes can be a share at all; says nothing about who made it. */
export function isShare(bytes: Uint8Array): boolean {
  return decodePoint(bytes) !== undefined;
}

/** Neither side has a name of its own: the context says which two are meant. */
const NOBODY = new Uint8Array(0);

interface Ending {
  readonly confirmations: Confirmations;
  readonly agreement: Agreement;
}

function endingOf(
  context: Uint8Array,
  shares: Shares,
  secrets: SecretPoints & { readonly w0: bigint },
): Ending {
  const setting: Setting = { context, idProver: NOBODY, idVerifier: NOBODY };
  const keys: Keys = keysOf(transcriptOf(setting, shares, secrets));
  const confirmations = confirmationsOf(keys, shares);
  const transcriptHash = hashOfSaid(context, shares, confirmations);
  return { confirmations, agreement: { sharedKey: keys.shared, transcriptHash } };
}

// Only what went over the wire. The RFC's own transcript holds the secret points too, and its hash is
// the main key: that one must never be shown.
function hashOfSaid(context: Uint8Array, shares: Shares, confirmations: Confirmations): Bytes {
  const said = lengthPrefixed([
    utf8('palyra.pairing.transcript.v1'),
    context,
    shares.prover,
    shares.verifier,
    confirmations.verifier,
    confirmations.prover,
  ]);
  return Uint8Array.from(sha256(said));
}
