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
/** With fewer, one of the two threads waits for the other's message instead of working. */
const BLOCKS_AHEAD = 3;
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
  for await (const block of blocksAhead(start, head, read)) {
    signal?.throwIfAborted();
    const walk = walkBlock(entries, block, { ...options, start: end });
    if (walk.fault !== undefined) return walk;
    end = walk.end;
    onProgress?.(end.sequence - start.sequence);
    await nextTurn();
  }
  return { end };
}

/** All blocks in their order. The next ones are being read while one is checked. */
async function* blocksAhead(
  start: ChainPoint,
  head: ChainPoint,
  read: ReadBlock,
): AsyncGenerator<ReadRange> {
  const ahead: { readonly range: Range; readonly reading: Promise<HashedBlock | undefined> }[] = [];
  let rows = ROWS_A_TURN;
  for (let asked = start.sequence; ;) {
    while (ahead.length < BLOCKS_AHEAD && asked < head.sequence) {
      const range = rangeAfter(asked, head, rows);
      ahead.push({ range, reading: read(range) });
      asked = range.upTo;
    }
    const next = ahead.shift();
    if (next === undefined) return;
    const block = await next.reading;
    rows = rowsAfter(block);
    yield { range: next.range, block };
  }
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

function walkLines(block: HashedBlock, { start, onEntry }: WalkOptions): WalkResult {
  const walker = new ChainWalker(start, hashHex);
  const text = latin1(block.joined);
  for (let at = 0, place = 0; at < text.length; place += 1) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const entry = new BlockEntry({ block, text }, { at, end, place });
    const step = walker.feed(entry);
    if (isFault(step)) return { end: walker.point, fault: step };
    onEntry(entry, step);
    at = end + 1;
  }
  return { end: walker.point };
}

/** One of many in a block. Its bytes are cut out when somebody wants them, which is seldom. */
class BlockEntry implements EntryView {
  readonly text: string;
  readonly at: number;
  readonly length: number;
  readonly hash: string | undefined;
  readonly #joined: Uint8Array;

  constructor(
    { block, text }: { readonly block: HashedBlock; readonly text: string },
    { at, end, place }: { readonly at: number; readonly end: number; readonly place: number },
  ) {
    this.text = text;
    this.at = at;
    this.length = end - at;
    const hash = block.hashes.slice(place * HASH_LENGTH, (place + 1) * HASH_LENGTH);
    // INVARIANT: never a shorter one. Every entry would follow from none at all.
    this.hash = hash.length === HASH_LENGTH ? hash : undefined;
    this.#joined = block.joined;
  }

  get canonical(): Uint8Array {
    return this.#joined.subarray(this.at, this.at + this.length);
  }
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
    const entry = { canonical: row, length: row.length, text: latin1(row), at: 0 };
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
