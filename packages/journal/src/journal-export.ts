import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Bytes,
  type ChainPoint,
  ExportWriter,
  type RunId,
  type SealedEntry,
  type SignedHead,
  type Signer,
} from '@palyra/kernel';
import type { JournalReader } from './journal-reader.ts';
import { hashBytes } from './platform-hash.ts';
import { corrupt, type Store } from './store.ts';

export interface ExportSource {
  readonly store: Store;
  readonly reader: JournalReader;
  readonly signer: Signer;
  readonly exportedAt: string;
}

export interface ExportRange {
  readonly start: ChainPoint;
  readonly lastSequence: number;
  /** Absent for an archived segment: see `Statements`. */
  readonly head?: SignedHead;
}

/** Entries that are read before others get a turn. */
const ROWS_A_TURN = 512;

/** The lines of an export of every entry of a range. */
export async function* exportRange(
  { store, signer, exportedAt }: ExportSource,
  { start, lastSequence, head }: ExportRange,
): AsyncGenerator<Bytes, void, undefined> {
  const writer = new ExportWriter(
    { exportedAt, previousHash: start.hash, firstSequence: start.sequence + 1 },
    signer,
  );
  yield writer.header;
  for (let after = start.sequence; after < lastSequence; after += ROWS_A_TURN) {
    const upTo = Math.min(after + ROWS_A_TURN, lastSequence);
    for (let next = after + 1; next <= upTo; next += 1) {
      const canonical = store.entries.read(next);
      if (canonical === undefined) throw corrupt(`entry ${next} is missing`);
      writer.add(hashBytes(canonical), next);
      yield canonical;
    }
    await nextTurn();
  }
  yield writer.trailer(head);
}

/** The lines of an export of one run's entries. */
export async function* exportRun(
  { reader, signer, exportedAt }: ExportSource,
  runId: RunId,
  head: SignedHead,
): AsyncGenerator<Bytes, void, undefined> {
  const writer = new ExportWriter({ exportedAt, runId }, signer);
  yield writer.header;
  let after = 0;
  for (;;) {
    const page: readonly SealedEntry[] = await reader.page({ after, limit: ROWS_A_TURN, runId });
    for (const entry of page) {
      if (entry.sequence > head.sequence) break;
      writer.add(hashBytes(entry.canonical), entry.sequence);
      yield entry.canonical;
    }
    const last = page.at(-1);
    if (last === undefined || last.sequence > head.sequence) break;
    after = last.sequence;
  }
  yield writer.trailer(head);
}
