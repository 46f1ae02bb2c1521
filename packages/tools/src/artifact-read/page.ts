/** Of one answer: the rest is further on, in the file or in the artifact. */
export const PAGE_BYTES = 48_000;

const NEWLINE = 0x0a;

/**
 * How much of a piece that more follows makes a page of text: up to the end of a line where there is one in the second
 * half, and never half a character. Contract: more than 0 of a piece that is not empty.
 */
export function pageLength(piece: Uint8Array): number {
  const line = piece.lastIndexOf(NEWLINE) + 1;
  if (line > piece.length / 2) return line;
  const whole = startOfLastCharacter(piece);
  return whole === 0 ? piece.length : whole;
}

/** Where the last character starts when it is cut off; else the end. */
function startOfLastCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & CONTINUES_MASK) === CONTINUES) continue;
    return lengthFrom(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** UTF-8: `10xxxxxx` goes on a character that another byte began. */
const CONTINUES_MASK = 0xc0;
const CONTINUES = 0x80;

function lengthFrom(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
