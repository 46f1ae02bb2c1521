import { type Bytes, lengthPrefixed, utf8 } from './bytes.ts';
import {
  POINT_BYTES,
  SCALAR_BYTES,
  decodePoint,
  decodeScalar,
  encodePoint,
  encodeScalar,
  reduceToScalar,
} from './group.ts';
import { scrypt } from './scrypt.ts';
import { type ProverSecret, type Verifier, verifierOf } from './spake2plus.ts';

/** Fixed: a verifier lives for minutes and is used once, so a table of all PINs gains nobody anything more. */
const SALT = utf8('palyra.pairing.password.v1');
/** RFC 9383 wants 64 bits more than the order has, so that the reduction favours no scalar. */
const HALF_BYTES = 40;
const NOBODY = new Uint8Array(0);

export async function deriveVerifier(password: string): Promise<Verifier> {
  return verifierOf(await deriveSecret(password));
}

export async function deriveSecret(password: string): Promise<ProverSecret> {
  // The RFC binds the names of both sides here; ours have none and are told apart by the context.
  const input = lengthPrefixed([utf8(password), NOBODY, NOBODY]);
  const derived = await scrypt({ input, salt: SALT, bytes: 2 * HALF_BYTES });
  return {
    w0: reduceToScalar(derived.subarray(0, HALF_BYTES)),
    w1: reduceToScalar(derived.subarray(HALF_BYTES)),
  };
}

export function verifierToBytes({ w0, l }: Verifier): Bytes {
  const bytes = new Uint8Array(SCALAR_BYTES + POINT_BYTES);
  bytes.set(encodeScalar(w0));
  bytes.set(encodePoint(l), SCALAR_BYTES);
  return bytes;
}

/** Contract: `undefined` for anything that `verifierToBytes` has not written. */
export function verifierFromBytes(bytes: Uint8Array): Verifier | undefined {
  const w0 = decodeScalar(bytes.subarray(0, SCALAR_BYTES));
  const l = decodePoint(bytes.subarray(SCALAR_BYTES));
  return w0 === undefined || l === undefined ? undefined : { w0, l };
}
