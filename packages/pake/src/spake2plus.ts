import { expand, extract } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { type Bytes, lengthPrefixed, utf8 } from './bytes.ts';
import { GENERATOR, M, N, type Point, decodePoint, encodePoint, encodeScalar } from './group.ts';

/**
 * The arithmetic of SPAKE2+, RFC 9383, suite P256-SHA256-HKDF-SHA256-HMAC-SHA256. Pure: the caller
 * brings the random scalars, which is how the vectors of the RFC can be tried.
 */
export interface Setting {
  readonly context: Uint8Array;
  readonly idProver: Uint8Array;
  readonly idVerifier: Uint8Array;
}

/** What the password becomes for the one who knows it. */
export interface ProverSecret {
  readonly w0: bigint;
  readonly w1: bigint;
}

/** What the verifier keeps: enough to check a password, not enough to prove that one knows it. */
export interface Verifier {
  readonly w0: bigint;
  /** w1 times the generator. */
  readonly l: Point;
}

export function verifierOf({ w0, w1 }: ProverSecret): Verifier {
  return { w0, l: GENERATOR.multiply(w1) };
}

export function proverShare(w0: bigint, x: bigint): Bytes {
  return encodePoint(GENERATOR.multiply(x).add(M.multiply(w0)));
}

export function verifierShare(w0: bigint, y: bigint): Bytes {
  return encodePoint(GENERATOR.multiply(y).add(N.multiply(w0)));
}

export interface Shares {
  readonly prover: Uint8Array;
  readonly verifier: Uint8Array;
}

/** The two points that only who knows the password, and a scalar of their own, can compute. */
export interface SecretPoints {
  readonly z: Bytes;
  readonly v: Bytes;
}

/** Contract: `undefined` for a share that is no point, or one made to give the identity. */
export function pointsOfProver(
  { w0, w1 }: ProverSecret,
  x: bigint,
  share: Uint8Array,
): SecretPoints | undefined {
  const base = unblind(share, N.multiply(w0));
  if (base === undefined) return undefined;
  return { z: encodePoint(base.multiply(x)), v: encodePoint(base.multiply(w1)) };
}

/** Contract: as `pointsOfProver`. */
export function pointsOfVerifier(
  { w0, l }: Verifier,
  y: bigint,
  share: Uint8Array,
): SecretPoints | undefined {
  const base = unblind(share, M.multiply(w0));
  if (base === undefined) return undefined;
  return { z: encodePoint(base.multiply(y)), v: encodePoint(l.multiply(y)) };
}

// In a group of prime order a point other than the identity times a scalar other than zero is never
// the identity, so this one check covers both points that come of it.
function unblind(share: Uint8Array, blinding: Point): Point | undefined {
  const base = decodePoint(share)?.subtract(blinding);
  return base === undefined || base.is0() ? undefined : base;
}

/** The bytes whose hash all keys come from. Never leave this package: their hash is the main key. */
export function transcriptOf(
  setting: Setting,
  shares: Shares,
  { w0, z, v }: SecretPoints & { readonly w0: bigint },
): Bytes {
  return lengthPrefixed([
    setting.context,
    setting.idProver,
    setting.idVerifier,
    encodePoint(M),
    encodePoint(N),
    shares.prover,
    shares.verifier,
    z,
    v,
    encodeScalar(w0),
  ]);
}

export interface Keys {
  readonly main: Uint8Array;
  readonly confirmProver: Uint8Array;
  readonly confirmVerifier: Uint8Array;
  readonly shared: Bytes;
}

export function keysOf(transcript: Uint8Array): Keys {
  const main = sha256(transcript);
  const seed = extract(sha256, main);
  const confirmation = expand(sha256, seed, utf8('ConfirmationKeys'), 2 * KEY_BYTES);
  return {
    main,
    confirmProver: confirmation.subarray(0, KEY_BYTES),
    confirmVerifier: confirmation.subarray(KEY_BYTES),
    shared: Uint8Array.from(expand(sha256, seed, utf8('SharedKey'), KEY_BYTES)),
  };
}

const KEY_BYTES = 32;

export interface Confirmations {
  readonly prover: Bytes;
  readonly verifier: Bytes;
}

/** Each side confirms the share of the other. */
export function confirmationsOf(keys: Keys, shares: Shares): Confirmations {
  return {
    prover: Uint8Array.from(hmac(sha256, keys.confirmProver, shares.verifier)),
    verifier: Uint8Array.from(hmac(sha256, keys.confirmVerifier, shares.prover)),
  };
}
