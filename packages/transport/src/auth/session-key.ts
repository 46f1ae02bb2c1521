import { type KeyObject, createPublicKey } from 'node:crypto';

const POINT_BYTES = 65;
/** Other first bytes are other ways to write the same point, and one key has one. */
const UNCOMPRESSED = 4;
/** What stands before the point of a P-256 key in its DER form (RFC 5480). */
const BEFORE_POINT = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

/** Contract: `undefined` for whatever is not an uncompressed point on P-256; never throws. */
export function sessionKey(point: Uint8Array): KeyObject | undefined {
  if (point.length !== POINT_BYTES || point[0] !== UNCOMPRESSED) return undefined;
  try {
    const key = Buffer.concat([BEFORE_POINT, point]);
    return createPublicKey({ key, format: 'der', type: 'spki' });
  } catch {
    // A point that is not on the curve: a bad key, not a fault.
    return undefined;
  }
}
