import { PalyraError } from '@palyra/kernel';

/** The most that the setting `journal.entry_bytes` can allow. */
const MAX_ENTRY_BYTES = 16 * 1024 * 1024;

/**
 * A line of an export is an entry as it is stored, or a header or a trailer; the slack is for what
 * stands around an entry. The journal reads its own exports with the same limit: what it writes can
 * be verified here, and a file without newlines is refused before it fills the memory.
 */
export const MAX_LINE_BYTES = MAX_ENTRY_BYTES + 64 * 1024;

const NEWLINE = 0x0a;

/** Splits bytes into lines without their newlines. A last line without one counts too. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const keep = (bytes: Uint8Array) => {
    size += bytes.length;
    if (size > MAX_LINE_BYTES) {
      throw new PalyraError('EXPORT_MALFORMED', `a line is longer than ${MAX_LINE_BYTES} bytes`);
    }
    parts.push(bytes);
  };
  const take = () => {
    const line = new Uint8Array(Buffer.concat(parts, size));
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (size > 0) yield take();
}
