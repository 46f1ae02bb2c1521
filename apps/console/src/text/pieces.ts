import { type Token, lexer } from 'marked';
import { isReadable } from './readable.ts';

/** Pieces are at least this long where blocks are short, so that a page has few of them. */
const PIECE = 1_500;
/** A block that is longer is parted at the end of a line. */
const LONGEST_PIECE = 8 * 1024;

export interface Parted {
  /** Each a text of markdown of its own: whole blocks, where they are not too long. */
  readonly done: readonly string[];
  /** What may still change its meaning by what comes. */
  readonly rest: string;
}

/**
 * Parts what is being spoken. Contract: parting `rest` with more behind it goes on where this ended,
 * so a text is parted the same whether it came in one go or word by word.
 */
export function part(text: string): Parted {
  const done: string[] = [];
  let rest = text;
  for (;;) {
    const next = firstPiece(rest);
    if (next === undefined) return { done, rest };
    done.push(rest.slice(0, next.length));
    rest = next.opening + rest.slice(next.length);
  }
}

/** Whether more text could have ended a piece; most words do not. */
export function mayPart(open: string, more: string): boolean {
  return open.length > PIECE && (more.includes('\n') || open.length > LONGEST_PIECE);
}

/** All of it, when nothing comes any more. */
export function piecesOf(text: string): readonly string[] {
  const { done, rest } = part(text.replaceAll('\r\n', '\n'));
  return rest.trim() === '' ? done : [...done, rest];
}

interface Piece {
  readonly length: number;
  /** What opens the code again in the middle of which it was parted. */
  readonly opening: string;
}

/** The first piece that nothing behind it can change; none while there is no such. */
function firstPiece(text: string): Piece | undefined {
  if (text.length <= PIECE) return undefined;
  const seen = text.slice(0, LONGEST_PIECE);
  const tokens = isReadable(seen) ? lexer(seen) : [];
  const length = endOfBlock(seen, tokens);
  if (length !== undefined) return { length, opening: '' };
  if (text.length <= LONGEST_PIECE) return undefined;
  return { length: seen.lastIndexOf('\n') + 1 || seen.length, opening: openFence(tokens.at(-1)) };
}

/** After the first block that is far enough and is not the last one, which may go on. */
function endOfBlock(seen: string, tokens: readonly Token[]): number | undefined {
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  let read = '';
  for (const { raw } of tokens.slice(0, Math.max(last, 0))) {
    read += raw;
    // What was read otherwise than it is written is not counted on.
    if (read.length >= PIECE) return seen.startsWith(read) ? read.length : undefined;
  }
  return undefined;
}

function openFence(last: Token | undefined): string {
  const [line = ''] = last?.type === 'code' ? last.raw.split('\n', 1) : [];
  return /^ {0,3}(?:`{3,}|~{3,})/.test(line) ? `${line}\n` : '';
}
