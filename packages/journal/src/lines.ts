import { PalyraError } from '@palyra/kernel';
import { MAX_ENTRY_BYTES } from './section.ts';

const NEWLINE = 10;
/** The largest entry, and some more for the other lines; a file without newlines ends early. */
const MAX_LINE_BYTES = MAX_ENTRY_BYTES + 64 * 1024;

/** Splits a stream of bytes at newlines. Contract: the last line need not end with one. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Pieces of the line that has begun, joined only when it ends: joining each time would be quadratic.
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield joined([...pieces, chunk.subarray(start, end)]);
      pieces = [];
      length = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES) throw tooLong();
  }
  if (pieces.length > 0) yield joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only, ...more] = pieces;
  return only !== undefined && more.length === 0 ? only : Buffer.concat(pieces);
}

function tooLong(): PalyraError {
  return new PalyraError(
    'EXPORT_MALFORMED',
    'not a journal export: a line is longer than any entry',
  );
}
