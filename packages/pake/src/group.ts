import { p256 } from '@noble/curves/nist.js';
import type { Bytes } from './bytes.ts';

/** P-256 as SPAKE2+ needs it. The cofactor is 1, so a point of the curve is one of the group. */
export type Point = ReturnType<typeof p256.Point.fromBytes>;

export const SCALAR_BYTES = 32;
/** Uncompressed: one byte that says so, then x and y. */
export const POINT_BYTES = 65;
const UNCOMPRESSED = 4;

export const GENERATOR: Point = p256.Point.BASE;
/** Nobody knows the discrete logarithm of these two: RFC 9383, section 4. */
export const M: Point = p256.Point.fromHex(
  '02886e2f97ace46e55ba9dd7242579f2993b64e16ef3dcab95afd497333d8fa12f',
);
export const N: Point = p256.Point.fromHex(
  '03d8bbd6c639c62937b04d997f38c3770719c629d7014d49a24b4f98baa1292b49',
);

export function encodePoint(point: Point): Bytes {
  return Uint8Array.from(point.toBytes(false));
}

/**
 * Contract: `undefined` for anything but the uncompressed form of a point of the curve. The
 * identity has no such form.
 */
export function decodePoint(bytes: Uint8Array): Point | undefined {
  if (bytes.length !== POINT_BYTES || bytes[0] !== UNCOMPRESSED) return undefined;
  try {
    const point = p256.Point.fromBytes(bytes);
    point.assertValidity();
    return point;
  } catch {
    // Not on the curve, or a coordinate outside the field: both are only a refusal here.
    return undefined;
  }
}

export function encodeScalar(scalar: bigint): Bytes {
  return Uint8Array.from(p256.Point.Fn.toBytes(scalar));
}

/** Contract: `undefined` unless it is from 1 up to the order of the group. */
export function decodeScalar(bytes: Uint8Array): bigint | undefined {
  if (!p256.utils.isValidSecretKey(bytes)) return undefined;
  return p256.Point.Fn.fromBytes(bytes);
}

/** Uniform over 1 up to the order. */
export function randomScalar(): bigint {
  return p256.Point.Fn.fromBytes(p256.utils.randomSecretKey());
}

/** Big-endian bytes of any length, reduced by the order. */
export function reduceToScalar(bytes: Uint8Array): bigint {
  return p256.Point.Fn.create(BigInt(`0x${bytes.toHex()}`));
}
