import {
  type Bytes,
  type ChainPoint,
  ChainWalker,
  decodeEntry,
  type EntryLink,
  type EntryView,
  ExportWriter,
  isFault,
  PalyraError,
  type RunId,
  type SignedHead,
  type Signer,
  type Turns,
  viewEntry,
} from '@palyra/kernel';
import { hashHex } from './platform-hash.ts';
import type { RunBook } from './run-book.ts';
import { corrupt, type Store } from './store.ts';

export interface ExportSource {
  readonly store: Store;
  readonly runBook: RunBook;
  readonly signer: Signer;
  readonly exportedAt: string;
  readonly turns: Turns;
  /** Ends the walk, also between two lines. */
  readonly signal?: AbortSignal | undefined;
}

export interface ExportRange {
  readonly start: ChainPoint;
  /** INVARIANT: proven already, as the head is by its signature. */
  readonly end: ChainPoint;
  /** Absent for an archived segment: see `Statements`. */
  readonly head?: SignedHead;
}

/** Entries `from` to `to`, both with it. */
export interface PartToExport {
  readonly from: number;
  readonly to: number;
  /** Where the store begins. */
  readonly start: ChainPoint;
  readonly head: SignedHead;
}

export interface RunToExport {
  readonly runId: RunId;
  /** Where the store begins. */
  readonly start: ChainPoint;
  readonly head: SignedHead;
}

/** What is read before others get a turn: a few milliseconds. */
const ROWS_A_TURN = 512;
const BYTES_A_TURN = 512 * 1024;

/** The lines of an export of every entry of a range. Contract: no last line for what is not proven. */
export async function* exportRange(
  source: ExportSource,
  { start, end, head }: ExportRange,
): AsyncGenerator<Bytes, void, undefined> {
  const { signer, exportedAt } = source;
  const writer = new ExportWriter(
    { exportedAt, previousHash: start.hash, firstSequence: start.sequence + 1 },
    signer,
  );
  yield writer.header;
  for await (const { canonical, hash } of provenEntries(source, start, end)) {
    writer.add(hash);
    yield canonical;
  }
  yield writer.trailer(head);
}

/**
 * The lines of an export of some entries of the store. Reads on up to the head, as `exportRun` does,
 * and says only where those end that it holds. Contract: as of `exportRange`; rejects with NOT_FOUND
 * when they are not all in the store.
 */
export async function* exportPart(
  source: ExportSource,
  { from, to, start, head }: PartToExport,
): AsyncGenerator<Bytes, void, undefined> {
  const { store, signer, exportedAt } = source;
  if (from <= start.sequence || from > to || to > head.sequence) throw noSuchPart(from, to);
  const before = from === start.sequence + 1 ? start : pointBeforeEntry(store, from);
  if (to === head.sequence) return yield* exportRange(source, { start: before, end: head, head });
  const writer = new ExportWriter(
    { exportedAt, previousHash: before.hash, firstSequence: from },
    signer,
  );
  yield writer.header;
  for await (const { canonical, link, hash } of provenEntries(source, before, head)) {
    if (link.sequence > to) continue;
    writer.add(hash);
    yield canonical;
  }
  yield writer.trailer(undefined);
}

/**
 * The lines of an export of one run's entries. Reads on up to the head: only a chain that ends in
 * what was signed proves the entries before it. Contract: as of `exportRange`; rejects with
 * NOT_FOUND when the run, or its beginning, is not in the store.
 */
export async function* exportRun(
  source: ExportSource,
  { runId, start, head }: RunToExport,
): AsyncGenerator<Bytes, void, undefined> {
  const { store, runBook, signer, exportedAt } = source;
  const first = firstOf(runBook, runId, start);
  const before = pointBefore(store, first, runId);
  const writer = new ExportWriter({ exportedAt, runId }, signer);
  yield writer.header;
  for await (const { canonical, view, link, hash } of provenEntries(source, before, head)) {
    if (!isOfRun(view, link, runId)) continue;
    writer.add(hash, link.sequence);
    yield canonical;
  }
  yield writer.trailer(head);
}

interface ProvenEntry {
  readonly canonical: Bytes;
  readonly view: EntryView;
  readonly link: EntryLink;
  readonly hash: Uint8Array;
}

/**
 * Contract: throws JOURNAL_CORRUPT, at the latest in the end, unless the entries lead to `end`; looks at
 * the signal each turn, because most of what is walked may be no line for whoever reads.
 */
async function* provenEntries(
  { store: { entries }, turns, signal }: ExportSource,
  start: ChainPoint,
  end: ChainPoint,
): AsyncGenerator<ProvenEntry, void, undefined> {
  const walker = new ChainWalker(start, hashHex);
  let [rows, bytes] = [0, 0];
  for (let next = start.sequence + 1; next <= end.sequence; next += 1) {
    const canonical = entries.read(next);
    if (canonical === undefined) throw corrupt(`entry ${next} is missing`);
    const view = viewEntry(canonical);
    const link = walker.feed(view, () =>
      next === end.sequence ? end.hash : entries.read(next + 1),
    );
    if (isFault(link))
      throw corrupt(`entry ${link.sequence} is not as it was written: ${link.reason}`);
    yield { canonical, view, link, hash: Buffer.from(walker.point.hash, 'hex') };
    rows += 1;
    bytes += canonical.length;
    if (rows < ROWS_A_TURN && bytes < BYTES_A_TURN) continue;
    await turns.next();
    signal?.throwIfAborted();
    [rows, bytes] = [0, 0];
  }
  if (walker.point.hash === end.hash) return;
  throw corrupt(`entry ${end.sequence} is not as it was written: another one was signed`);
}

function firstOf(runBook: RunBook, runId: RunId, start: ChainPoint): number {
  const first = runBook.span(runId)?.firstSequence;
  if (first === undefined) {
    throw new PalyraError('NOT_FOUND', `there is no run \`${runId}\` in the store`);
  }
  if (first <= start.sequence) throw archivedRun(runId);
  return first;
}

/** Contract: throws unless the run's first entry is there, which its span alone cannot tell. */
function pointBefore({ entries }: Store, first: number, runId: RunId): ChainPoint {
  const canonical = entries.read(first);
  const entry = canonical === undefined ? undefined : decodeEntry(canonical, '');
  if (entry?.kind !== 'run.started' || entry.runId !== runId) {
    throw corrupt(`run ${runId} does not begin with entry ${first}`);
  }
  return { sequence: first - 1, hash: entry.previousHash };
}

/** Contract: throws unless the entry is there. */
function pointBeforeEntry({ entries }: Store, sequence: number): ChainPoint {
  const canonical = entries.read(sequence);
  const entry = canonical === undefined ? undefined : decodeEntry(canonical, '');
  if (entry?.sequence !== sequence) throw corrupt(`entry ${sequence} cannot be read`);
  return { sequence: sequence - 1, hash: entry.previousHash };
}

function noSuchPart(from: number, to: number): PalyraError {
  return new PalyraError('NOT_FOUND', `the store does not hold entries ${from} to ${to}`, {
    help: 'archived entries are in the files of the archive; `palyra journal tail` shows the newest',
  });
}

function archivedRun(runId: RunId): PalyraError {
  return new PalyraError('NOT_FOUND', `the beginning of run \`${runId}\` is in the archive`, {
    help: 'the archived segments hold it whole; each verifies with `palyra journal verify FILE`',
  });
}

function isOfRun({ text, at }: EntryView, { runIdAt }: EntryLink, runId: RunId): boolean {
  return runIdAt >= 0 && text.startsWith(runId, at + runIdAt);
}
