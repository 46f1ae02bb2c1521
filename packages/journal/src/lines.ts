const NEWLINE = 10;
/** Longer than any entry can be made; a file without newlines must not fill the memory. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Splits a stream of bytes at newlines. Contract: the last line need not end with one. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      yield bytes.subarray(start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > MAX_LINE_BYTES) throw new RangeError('a line is too long');
  }
  if (rest.length > 0) yield rest;
}
