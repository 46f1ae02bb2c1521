import { pageLength } from '../artifact-read/page.ts';
import type { Pace } from '../workspace/pace.ts';

/** Bytes that can be read from the start to the end; empty at the end. */
export type ReadPiece = (offset: number) => Promise<Uint8Array> | Uint8Array;

export interface PageQuery {
  readonly firstLine: number;
  /** Bytes of the first line that are left out. */
  readonly offset: number;
  readonly maxLines: number;
  readonly maxBytes: number;
  /** Looked through for the first line, and for the page. */
  readonly scanBytes: number;
}

export type LinePage =
  | {
      readonly kind: 'page';
      readonly bytes: Buffer;
      readonly lines: number;
      /** More lines follow, or the last line of the page is longer than a page. */
      readonly end: 'of-file' | 'of-page' | 'inside-a-line';
    }
  /** The file has only so many lines. */
  | { readonly kind: 'past-the-end'; readonly lines: number }
  /** The first line has only so many bytes, its end included. */
  | { readonly kind: 'past-the-line'; readonly bytes: number }
  | { readonly kind: 'binary' }
  | { readonly kind: 'too-far' };

const NEWLINE = 0x0a;

/** Goes through the bytes once and keeps only the page. */
export async function readLinePage(
  read: ReadPiece,
  query: PageQuery,
  pace: Pace,
): Promise<LinePage> {
  const page: Uint8Array[] = [];
  let offset = 0;
  let kept = 0;
  let breaks = 0;
  let left = query.offset;
  const isInPage = () => breaks >= query.firstLine - 1;
  for (;;) {
    const piece = Buffer.from(await read(offset));
    if (piece.length === 0) break;
    // A text has none; looked for only where it starts, as everybody does.
    if (offset === 0 && piece.subarray(0, 8192).includes(0)) return { kind: 'binary' };
    offset += piece.length;
    await pace.spend(piece.length);
    let at = 0;
    while (at < piece.length) {
      const found = piece.indexOf(NEWLINE, at);
      const end = found === -1 ? piece.length : found + 1;
      if (isInPage()) {
        const line = piece.subarray(Math.min(at + left, end), end);
        left -= end - at - line.length;
        if (found !== -1 && line.length === 0) return pastTheLine(query, left);
        if (kept + line.length > query.maxBytes) return cut(page, line, query.maxBytes - kept);
        page.push(line);
        kept += line.length;
      }
      at = end;
      if (found !== -1) breaks += 1;
      if (breaks - (query.firstLine - 1) >= query.maxLines) {
        const isEnd = at === piece.length && (await read(offset)).length === 0;
        return whole(page, query.maxLines, isEnd ? 'of-file' : 'of-page');
      }
    }
    if (offset > query.scanBytes) return { kind: 'too-far' };
  }
  if (kept === 0 && left < query.offset) return pastTheLine(query, left);
  if (!isInPage() || (kept === 0 && breaks > 0)) return { kind: 'past-the-end', lines: breaks };
  return whole(page, linesOf(page), 'of-file');
}

function pastTheLine({ offset }: PageQuery, left: number): LinePage {
  return { kind: 'past-the-line', bytes: offset - left };
}

/** Whole lines when there is one; a single line that is longer than a page is cut, between two characters. */
function cut(page: readonly Uint8Array[], line: Uint8Array, room: number): LinePage {
  const bytes = Buffer.concat(page);
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  if (end > 0) return whole([bytes.subarray(0, end)], linesOf([bytes.subarray(0, end)]), 'of-page');
  const piece = Buffer.concat([bytes, line.subarray(0, room)]);
  return whole([piece.subarray(0, pageLength(piece))], 1, 'inside-a-line');
}

function whole(
  page: readonly Uint8Array[],
  lines: number,
  end: 'of-file' | 'of-page' | 'inside-a-line',
): LinePage {
  return { kind: 'page', bytes: Buffer.concat(page), lines, end };
}

function linesOf(page: readonly Uint8Array[]): number {
  const bytes = Buffer.concat(page);
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return bytes.length > 0 && bytes.at(-1) !== NEWLINE ? lines + 1 : lines;
}
