import { rm, readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { create, toJson } from '@bufbuild/protobuf';
import {
  type Bytes,
  type ChainPoint,
  isJsonObject,
  PalyraError,
  type PreparedEntry,
  prepareEntry,
} from '@palyra/kernel';
import { hasPrivateFile, writeDurably } from '@palyra/private-files';
import { JournalArchivedSchema } from '@palyra/protocol';
import type { RecordsCheck } from './records-check.ts';
import type { GroupCommit } from './group-commit.ts';
import type { ArchivedSegment, HoldingRun } from './journal.ts';
import { exportRange, type ExportSource } from './journal-export.ts';
import { corrupt, type Store, type StoreState } from './store.ts';
import { walkStore } from './store-walk.ts';
import type { StoreWriter } from './store-writer.ts';
import type { Segment } from './tables/segments.ts';
import { readSegment, segmentFile } from './verify-archive.ts';

export interface ArchiveOptions {
  readonly source: ExportSource;
  readonly writer: StoreWriter;
  readonly commits: GroupCommit;
  readonly archiveDir: string;
  /** Who asked for it. */
  readonly actor: string;
  /** INVARIANT: has seen every entry about records in the store, also the newest. */
  readonly records: RecordsCheck;
}

export interface ProofOptions {
  readonly store: Store;
  readonly state: StoreState;
  /** Gets to see every entry. */
  readonly records: RecordsCheck;
}

/** A sealed segment and where its last entry was proven to stand. */
export interface ProvenSegment {
  readonly segment: Segment;
  readonly end: ChainPoint;
}

/** Entries that are removed in one transaction: few, so that appends wait little. */
const ROWS_A_TURN = 512;
const NEWLINE: Bytes = new Uint8Array([10]);

export interface Archivable {
  /** Oldest first. */
  readonly segments: readonly Segment[];
  readonly heldBy?: HoldingRun;
}

/**
 * Sealed segments that lie wholly before a sequence number. A run that may go on keeps its first
 * segment and all later ones: without its beginning it could not be resumed.
 */
export function archivable(store: Store, before: number): Archivable {
  const sealed = [...store.segments.all()].slice(0, -1);
  const asked = sealed.filter((segment) => segment.lastSequence < before);
  const run = store.runs.firstUnended();
  if (run === undefined) return { segments: asked };
  const { firstSequence, runId, status } = run;
  const segments = asked.filter((segment) => segment.lastSequence < firstSequence);
  const held = asked.length - segments.length;
  return held === 0 ? { segments } : { segments, heldBy: { runId, status, segments: held } };
}

/**
 * Follows the whole chain up to the signed head first: a segment gets a signature of its own, and
 * nothing less proves it. Contract: throws JOURNAL_CORRUPT when the chain does not hold.
 */
export async function proveSegments(
  { store, state: { start, head }, records }: ProofOptions,
  segments: readonly Segment[],
): Promise<readonly ProvenSegment[]> {
  if (segments.length === 0) return [];
  const lasts = new Set(segments.map((segment) => segment.lastSequence));
  const hashes = new Map<number, string>([[head.sequence, head.hash]]);
  let strange: string | undefined;
  const { end, fault } = await walkStore(store, {
    start,
    head,
    onEntry: (entry, link) => {
      const { sequence, previousHashAt } = link;
      const from = entry.at + previousHashAt;
      if (lasts.has(sequence - 1)) {
        hashes.set(sequence - 1, entry.text.slice(from, from + HASH_LENGTH));
      }
      strange ??= records.see(entry, link);
    },
  });
  if (fault !== undefined) throw corrupt(`entry ${fault.sequence}: ${fault.reason}`);
  if (strange !== undefined) throw corrupt(`an entry about records: ${strange}`);
  if (end.hash !== head.hash)
    throw corrupt(`entry ${head.sequence} is not the one that was signed`);
  return segments.map((segment) => {
    const { lastSequence: sequence, number } = segment;
    const hash = hashes.get(sequence);
    if (hash === undefined) throw corrupt(`segment ${number} ends outside of the store`);
    return { segment, end: { sequence, hash } };
  });
}

/**
 * Contract: `segment` is the oldest in the store. It leaves only when its file has been verified. A file
 * that is there already is never written over: it is the same, left by a crash, or JOURNAL_CORRUPT.
 */
export async function archiveSegment(
  { source, writer, commits, archiveDir, actor, records }: ArchiveOptions,
  { segment, end }: ProvenSegment,
): Promise<ArchivedSegment> {
  const { number, firstSequence, lastSequence, previousHash } = segment;
  const file = segmentFile(archiveDir, number);
  const start = { sequence: firstSequence - 1, hash: previousHash };
  const isThere = hasPrivateFile(file);
  if (!isThere) await writeDurably(file, joined(exportRange(source, { start, end })));
  const report = await readSegment(file, source.signer.keyId, start);
  const isRight =
    report.verdict === 'intact' &&
    report.firstSequence === firstSequence &&
    report.lastSequence === lastSequence &&
    report.headHash === end.hash;
  if (!isRight && isThere) throw taken(basename(file));
  if (!isRight) throw corrupt(`segment ${number} does not hold the entries that it should`);
  const archived = { number, firstSequence, lastSequence, file };
  commits.write(() => {
    const notes = [...records.retell(lastSequence, actor), noteOf(archived, actor)];
    return writer.cut({ segment, hash: end.hash, notes });
  });
  return archived;
}

/** Removes the rows that lie before the start of the store, also those that a crash left behind. */
export async function removeArchived(store: Store, lastSequence: number): Promise<void> {
  const first = store.entries.firstSequence() ?? lastSequence + 1;
  for (let after = Math.max(first, 1) - 1; after < lastSequence; after += ROWS_A_TURN) {
    store.entries.remove({ after, upTo: Math.min(after + ROWS_A_TURN, lastSequence) });
    await nextTurn();
  }
}

/** What a crash left of a segment that was being written. */
export async function removeDrafts(archiveDir: string): Promise<void> {
  const drafts = (await readdir(archiveDir)).filter((name) => name.startsWith('.segment-'));
  for (const draft of drafts) await rm(`${archiveDir}/${draft}`, { force: true });
}

export function assertQuiet(exports: number): void {
  if (exports === 0) return;
  throw new PalyraError('OVERLOADED', 'an export is being read', {
    help: 'wait for it to end, or end it, and archive again',
  });
}

/** What lies there may be all that is left of what it tells. */
function taken(file: string): PalyraError {
  return new PalyraError(
    'JOURNAL_CORRUPT',
    `\`${file}\` is in the archive already, with other entries`,
    { help: 'perhaps an older copy of the store was put back; keep that file elsewhere first' },
  );
}

const HASH_LENGTH = 64;

function noteOf(archived: ArchivedSegment, actor: string): PreparedEntry {
  const { number, firstSequence, lastSequence, file } = archived;
  const segment = {
    number: BigInt(number),
    firstSequence: BigInt(firstSequence),
    lastSequence: BigInt(lastSequence),
    file: basename(file),
  };
  const payload = toJson(
    JournalArchivedSchema,
    create(JournalArchivedSchema, { segments: [segment] }),
  );
  if (!isJsonObject(payload)) throw new TypeError('the json of a message is an object');
  return prepareEntry({ kind: 'journal.archived', actor, payload });
}

async function* joined(lines: AsyncIterable<Bytes>): AsyncGenerator<Bytes, void, undefined> {
  for await (const line of lines) {
    yield line;
    yield NEWLINE;
  }
}
