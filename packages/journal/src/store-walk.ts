import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ChainFault,
  type ChainPoint,
  ChainWalker,
  type EntryLink,
  type EntryView,
  isFault,
} from '@palyra/kernel';
import { BlockReader, type HashedBlock } from './block-reader.ts';
import { latin1 } from './latin1.ts';
import { hashHex } from './platform-hash.ts';
import type { Store } from './store.ts';
import type { Entries, Range } from './tables/entries.ts';

export interface WalkOptions {
  readonly start: ChainPoint;
  /** Where the signed head says that the chain ends. */
  readonly head: ChainPoint;
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
/** The same for small entries: to ask the thread for a block costs as much as checking some of them. */
const SMALL_ROWS_A_TURN = 512;
const SMALL_BYTES = 2048;
/** A shorter store is read before a thread has started. */
const ROWS_FOR_A_THREAD = 16 * ROWS_A_TURN;
const HASH_LENGTH = 64;

/** Follows the chain through the store. */
export async function walkStore(store: Store, options: WalkOptions): Promise<WalkResult> {
  const { start, head } = options;
  if (head.sequence - start.sequence < ROWS_FOR_A_THREAD) {
    return walkRanges(store.entries, options, () => Promise.resolve(undefined));
  }
  await using reader = new BlockReader(store.file);
  return await walkRanges(store.entries, options, (range) => reader.read(range));
}

type ReadBlock = (range: Range) => Promise<HashedBlock | undefined>;

async function walkRanges(
  entries: Entries,
  options: WalkOptions,
  read: ReadBlock,
): Promise<WalkResult> {
  const { start, head, onProgress, signal } = options;
  let end = start;
  let range = rangeAfter(start.sequence, head, ROWS_A_TURN);
  let reading = read(range);
  while (end.sequence < head.sequence) {
    signal?.throwIfAborted();
    const block = await reading;
    const next = rangeAfter(range.upTo, head, rowsAfter(block));
    // Before this block is checked, so that the next one is read meanwhile.
    if (next.upTo > next.after) reading = read(next);
    const walk = walkBlock(entries, { range, block }, { ...options, start: end });
    if (walk.fault !== undefined) return walk;
    end = walk.end;
    range = next;
    onProgress?.(end.sequence - start.sequence);
    await nextTurn();
  }
  return { end };
}

function rangeAfter(after: number, head: ChainPoint, rows: number): Range {
  return { after, upTo: Math.min(after + rows, head.sequence) };
}

/** What comes next is most likely like what came before. */
function rowsAfter(block: HashedBlock | undefined): number {
  const isSmall = block !== undefined && block.joined.length < block.rows * SMALL_BYTES;
  return isSmall ? SMALL_ROWS_A_TURN : ROWS_A_TURN;
}

interface ReadRange {
  readonly range: Range;
  readonly block: HashedBlock | undefined;
}

/** Contract: whatever does not fit in the block is looked at again row by row, which tells exactly. */
function walkBlock(
  entries: Entries,
  { range, block }: ReadRange,
  options: WalkOptions,
): WalkResult {
  if (block?.rows !== range.upTo - range.after) return walkRows(entries, range, options);
  const walked = walkLines(block, options);
  if (walked.fault === undefined && walked.end.sequence === range.upTo) return walked;
  const again = walkRows(entries, range, { ...options, onEntry: ignore });
  return again.fault === undefined ? { ...again, fault: unnamed(options.start) } : again;
}

function walkLines({ joined, hashes }: HashedBlock, { start, onEntry }: WalkOptions): WalkResult {
  let hashed = 0;
  // The walker hashes each entry once, in order.
  const walker = new ChainWalker(start, (canonical) => {
    if (hashed >= hashes.length) return hashHex(canonical);
    hashed += HASH_LENGTH;
    return hashes.slice(hashed - HASH_LENGTH, hashed);
  });
  const text = latin1(joined);
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const entry = { canonical: joined.subarray(at, end), text, at };
    const step = walker.feed(entry);
    if (isFault(step)) return { end: walker.point, fault: step };
    onEntry(entry, step);
    at = end + 1;
  }
  return { end: walker.point };
}

function walkRows(
  entries: Entries,
  { after, upTo }: Range,
  { start, head, onEntry }: WalkOptions,
): WalkResult {
  const walker = new ChainWalker(start, hashHex, existing(entries, start.sequence));
  for (let sequence = after + 1; sequence <= upTo; sequence += 1) {
    const row = readRow(entries, sequence);
    if (typeof row === 'string') return { end: walker.point, fault: { sequence, reason: row } };
    const entry = { canonical: row, text: latin1(row), at: 0 };
    const step = walker.feed(entry, () => successor(entries, sequence, head));
    if (isFault(step)) return { end: walker.point, fault: step };
    onEntry(entry, step);
  }
  return { end: walker.point };
}

function successor(
  entries: Entries,
  sequence: number,
  head: ChainPoint,
): Uint8Array | string | undefined {
  return sequence === head.sequence ? head.hash : existing(entries, sequence + 1);
}

function existing(entries: Entries, sequence: number): Uint8Array | undefined {
  const row = readRow(entries, sequence);
  return typeof row === 'string' ? undefined : row;
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
