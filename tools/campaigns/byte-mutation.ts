import type { Random } from '@palyra/testkit';

/** Ends of ranges, tags and lengths of protobuf and DER. */
const BYTES = [
  0x00, 0x01, 0x02, 0x04, 0x08, 0x0a, 0x12, 0x1a, 0x20, 0x30, 0x3d, 0x7f, 0x80, 0x81, 0x82, 0xff,
] as const;

/** Good bytes made worse in one to eight places, at times with a piece of another good input. */
export function mutateBytes(
  input: Uint8Array,
  corpus: readonly Uint8Array[],
  random: Random,
): Uint8Array {
  let mutated = input;
  // Mostly few: what is wrong in many places is refused by the first check, and no later one is tried.
  const changes = 1 + Math.floor(random() ** 3 * 8);
  for (let change = 0; change < changes; change += 1) {
    const other = corpus[below(corpus.length, random)] ?? input;
    mutated = changeOnce(mutated, other, random);
  }
  return mutated;
}

function changeOnce(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const at = below(bytes.length + 1, random);
  const length = below(12, random);
  const kind = random();
  if (kind < 0.4) return replaced(bytes, at, [(bytes[at] ?? 0) ^ (1 << below(8, random))]);
  if (kind < 0.65) return replaced(bytes, at, [BYTES[below(BYTES.length, random)] ?? 0]);
  if (kind < 0.73) return joined(bytes.subarray(0, at), noise(length, random), bytes.subarray(at));
  if (kind < 0.8) return joined(bytes.subarray(0, at), bytes.subarray(at + length));
  if (kind < 0.87) return joined(bytes.subarray(0, at + length), bytes.subarray(at));
  if (kind < 0.93)
    return joined(bytes.subarray(0, at), other.subarray(below(other.length + 1, random)));
  if (kind < 0.98) return bytes.subarray(0, at);
  return joined(bytes.subarray(0, at), new Uint8Array(below(9_000, random)), bytes.subarray(at));
}

function replaced(bytes: Uint8Array, at: number, piece: readonly number[]): Uint8Array {
  return joined(bytes.subarray(0, at), Uint8Array.from(piece), bytes.subarray(at + piece.length));
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

function noise(length: number, random: Random): Uint8Array {
  return new Uint8Array(length).map(() => below(256, random));
}

function below(end: number, random: Random): number {
  return Math.floor(random() * end);
}
