export interface TextPage {
  readonly text: string;
  /** What of the bytes it took; the next page begins behind it. */
  readonly length: number;
}

/** The text of some bytes. A character that goes on behind them is left to the next page. */
export function textPage(bytes: Uint8Array): TextPage {
  const length = bytes.length - unfinished(bytes);
  return { text: new TextDecoder().decode(bytes.subarray(0, length)), length };
}

/** Bytes at the end that begin a character without ending it; none where they are no text anyway. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes.at(-back) ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return back < sizeFrom(byte) && bytes.length > back ? back : 0;
  }
  return 0;
}

function sizeFrom(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
