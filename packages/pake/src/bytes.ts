export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export function utf8(text: string): Bytes {
  return encoder.encode(text);
}

/**
 * The parts one after another, each behind its length in eight bytes, smallest first, as RFC 9383
 * writes its transcript. INVARIANT: two different lists of parts never give the same bytes.
 */
export function lengthPrefixed(parts: readonly Uint8Array[]): Bytes {
  const total = parts.reduce((sum, part) => sum + LENGTH_BYTES + part.length, 0);
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of parts) {
    view.setBigUint64(at, BigInt(part.length), true);
    bytes.set(part, at + LENGTH_BYTES);
    at += LENGTH_BYTES + part.length;
  }
  return bytes;
}

const LENGTH_BYTES = 8;

/** Takes as long for a difference in the first byte as for one in the last. */
export function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let place = 0; place < left.length; place += 1) {
    difference |= (left[place] ?? 0) ^ (right[place] ?? 0);
  }
  return difference === 0;
}
