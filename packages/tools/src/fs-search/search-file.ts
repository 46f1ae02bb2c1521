import { readSync } from 'node:fs';
import type { Pace } from '../workspace/pace.ts';
import type { Opened } from '../workspace/place.ts';
import type { Matcher } from './matcher.ts';

export interface FoundLine {
  /** From 1. */
  readonly number: number;
  /** Its start, at most so much as an answer shows. Only for as long as it is told. */
  readonly bytes: Buffer;
}

export interface Search {
  readonly matcher: Matcher;
  readonly pace: Pace;
  /** Of this and all further files. */
  readonly budget: { bytes: number; lines: number };
  /** Used again for each file; one line that is longer is searched in parts. */
  readonly piece: Buffer;
}

export const PIECE_BYTES = 131_072;
const MAX_SHOWN_BYTES = 512;
const NEWLINE = 0x0a;

type Tell = (line: FoundLine) => void;

/** Contract: tells nothing of what is no text. Ends early when the budget does, and where the file ended when it was opened. */
export async function searchFile(search: Search, file: Opened, tell: Tell): Promise<void> {
  const { budget, piece, pace } = search;
  let offset = 0;
  let kept = 0;
  let number = 1;
  let isEnd = false;
  while (!isEnd && budget.bytes > 0 && budget.lines > 0) {
    const read = readSync(file.descriptor, piece, kept, piece.length - kept, offset);
    if (offset === 0 && piece.subarray(0, Math.min(read, 8192)).includes(0)) return;
    offset += read;
    budget.bytes -= read;
    const rest = pace.spend(read);
    if (rest !== undefined) await rest;
    isEnd = read === 0 || offset >= file.stats.size;
    const length = kept + read;
    const end = isEnd ? length : endOfLines(piece, length);
    await searchPiece(search, { end, number }, tell);
    if (isEnd) return;
    number += countLines(piece, 0, end);
    piece.copyWithin(0, end, length);
    kept = length - end;
  }
}

/** Without a line end in a full piece there is none to wait for. */
function endOfLines(piece: Buffer, length: number): number {
  const end = piece.subarray(0, length).lastIndexOf(NEWLINE) + 1;
  return end === 0 && length === piece.length ? length : end;
}

interface Piece {
  readonly end: number;
  readonly number: number;
}

async function searchPiece(search: Search, piece: Piece, tell: Tell): Promise<void> {
  const { matcher, budget, pace } = search;
  const bytes = search.piece;
  let { number } = piece;
  let counted = 0;
  let at = 0;
  matcher.restart();
  while (at < piece.end && budget.lines > 0) {
    const scan = matcher.scan(bytes, at, piece.end);
    if (scan.kind === 'pause') {
      at = scan.at;
      // A table that has to grow all the time is slower than any reading.
      await pace.spend(PIECE_BYTES);
      continue;
    }
    const hasOpenLine = bytes[piece.end - 1] !== NEWLINE;
    if (scan.kind === 'end' && !(hasOpenLine && matcher.isFoundAtEnd())) return;
    const place = scan.kind === 'found' ? scan.at : piece.end - 1;
    const start = place === 0 ? 0 : bytes.lastIndexOf(NEWLINE, place - 1) + 1;
    const found = bytes.indexOf(NEWLINE, place);
    const end = found === -1 || found >= piece.end ? piece.end : found;
    number += countLines(bytes, counted, start);
    counted = start;
    budget.lines -= 1;
    tell({ number, bytes: bytes.subarray(start, Math.min(end, start + MAX_SHOWN_BYTES)) });
    at = end + 1;
    matcher.restart();
  }
}

function countLines(bytes: Buffer, from: number, end: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE, from); at !== -1 && at < end; lines += 1) {
    at = bytes.indexOf(NEWLINE, at + 1);
  }
  return lines;
}
