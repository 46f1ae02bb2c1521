import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ChainFault,
  type ChainPoint,
  ChainWalker,
  type EntryLink,
  type EntryView,
  isFault,
} from '@palyra/kernel';
import { hashHex } from './platform-hash.ts';
import type { Entries, Range } from './tables/entries.ts';

export interface WalkOptions {
  readonly start: ChainPoint;
  readonly lastSequence: number;
  /** Called for every entry that is in its place. */
  readonly onEntry: (entry: EntryView, link: EntryLink) => void;
  readonly onProgress?: ((entries: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WalkResult {
  readonly end: ChainPoint;
  readonly fault?: ChainFault;
}

/** Entries that are checked before others get a turn. */
const ROWS_A_TURN = 256;

/** Follows the chain through the store. */
export async function walkStore(entries: Entries, options: WalkOptions): Promise<WalkResult> {
  const { start, lastSequence, onProgress, signal } = options;
  let end = start;
  while (end.sequence < lastSequence) {
    signal?.throwIfAborted();
    const walk = walkBlock(entries, end, options);
    if (walk.fault !== undefined) return walk;
    end = walk.end;
    onProgress?.(end.sequence - start.sequence);
    await nextTurn();
  }
  return { end };
}

function walkBlock(entries: Entries, start: ChainPoint, options: WalkOptions): WalkResult {
  const upTo = Math.min(start.sequence + ROWS_A_TURN, options.lastSequence);
  const range = { after: start.sequence, upTo };
  const joined = readBlock(entries, range);
  if (joined === undefined) return walkRows(entries, range, { ...options, start });
  const walked = walkLines(joined, { ...options, start });
  if (walked.fault !== undefined || walked.end.sequence === upTo) return walked;
  // More lines than rows: some row is not one entry, and only row by row tells which.
  const again = walkRows(entries, range, { ...options, start, onEntry: ignore });
  return again.fault === undefined ? { ...again, fault: unnamed(start) } : again;
}

/** Contract: `undefined` unless the block holds every row of the range. */
function readBlock(entries: Entries, range: Range): Uint8Array | undefined {
  try {
    const { rows, joined } = entries.block(range);
    return rows === range.upTo - range.after ? joined : undefined;
  } catch {
    // Too large for one value, or a damaged page in it: entry by entry tells.
    return undefined;
  }
}

function walkLines(joined: Uint8Array, { start, onEntry }: WalkOptions): WalkResult {
  const walker = new ChainWalker(start, hashHex);
  const text = latin1(joined);
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const fault = feed(walker, { canonical: joined.subarray(at, end), text, at }, onEntry);
    if (fault !== undefined) return { end: walker.point, fault };
    at = end + 1;
  }
  return { end: walker.point };
}

function walkRows(
  entries: Entries,
  { after, upTo }: Range,
  { start, onEntry }: WalkOptions,
): WalkResult {
  const walker = new ChainWalker(start, hashHex);
  for (let sequence = after + 1; sequence <= upTo; sequence += 1) {
    const row = readRow(entries, sequence);
    const fault =
      typeof row === 'string' ? { sequence, reason: row } : feed(walker, ofRow(row), onEntry);
    if (fault !== undefined) return { end: walker.point, fault };
  }
  return { end: walker.point };
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function ofRow(canonical: Uint8Array): EntryView {
  return { canonical, text: latin1(canonical), at: 0 };
}

function feed(
  walker: ChainWalker,
  entry: EntryView,
  onEntry: WalkOptions['onEntry'],
): ChainFault | undefined {
  const step = walker.feed(entry);
  if (isFault(step)) return step;
  onEntry(entry, step);
  return undefined;
}

function readRow(entries: Entries, sequence: number): Uint8Array | string {
  try {
    return entries.read(sequence) ?? 'it is missing';
  } catch {
    // Whatever SQLite says about the page, for the reader the entry is lost.
    return 'it cannot be read from the store';
  }
}

function ignore(): void {}

function unnamed({ sequence }: ChainPoint): ChainFault {
  return { sequence: sequence + 1, reason: 'the rows of the store are not one entry each' };
}
