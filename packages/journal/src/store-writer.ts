import {
  type Bytes,
  type EntryId,
  type Ids,
  type PreparedEntry,
  placeEntry,
  type SealedEntry,
  type Signer,
  signHead,
} from '@palyra/kernel';
import { idAfter } from './id-after.ts';
import { hashHex } from './platform-hash.ts';
import { projectRun } from './run-projection.ts';
import { corrupt, type Store, type StoreState } from './store.ts';
import type { StorePlace } from './store-place.ts';
import { nextSegment, type Segment } from './tables/segments.ts';

export interface StoreWriterOptions {
  readonly store: Store;
  readonly state: StoreState;
  readonly signer: Signer;
  readonly ids: Ids;
  readonly now: () => string;
  readonly segmentBytes: number;
  readonly place: StorePlace;
}

/** A segment that leaves the store, the hash of its last entry, and the entry that tells of it. */
export interface Cut {
  readonly segment: Segment;
  readonly hash: string;
  readonly note: PreparedEntry;
}

interface Written {
  readonly entries: readonly SealedEntry[];
  readonly state: StoreState;
}

/** Writes batches of entries, each in one transaction together with everything that follows from it. */
export class StoreWriter {
  readonly #options: StoreWriterOptions;
  /** INVARIANT: what is on disk; moves only after a commit. */
  #state: StoreState;

  constructor(options: StoreWriterOptions) {
    this.#options = options;
    this.#state = options.state;
  }

  get state(): StoreState {
    return this.#state;
  }

  /** Contract: when it returns, every entry is durable; when it throws, whether they are is open. */
  commit(batch: readonly PreparedEntry[]): readonly SealedEntry[] {
    const time = this.#options.now();
    return this.#transact(() => this.#write(batch, time));
  }

  /**
   * The store begins after `segment` from now on, and `note` tells of it: both or neither. The rows
   * of the segment are removed by whoever calls. Contract: as of `commit`.
   */
  cut({ segment, hash, note }: Cut): readonly SealedEntry[] {
    const { store, signer, now } = this.#options;
    const time = now();
    const start = { sequence: segment.lastSequence, hash };
    return this.#transact(() => {
      const { entries, state } = this.#write([note], time);
      store.statements.writeStart(start, signer);
      store.segments.removeUpTo(segment.number);
      store.runSpans.forgetUpTo(segment.lastSequence);
      store.runs.forgetSpanless();
      return { entries, state: { ...state, start } };
    });
  }

  #write(batch: readonly PreparedEntry[], time: string): Written {
    const { store, signer } = this.#options;
    const entries = this.#seal(batch, time);
    const last = entries.at(-1);
    if (last === undefined) throw new TypeError('a batch holds at least one entry');
    this.#project(entries);
    const segment = this.#fill(entries, last);
    const head = signHead(last, time, signer);
    store.statements.writeHead({ head, segmentBytes: segment.bytes });
    return { entries, state: { ...this.#state, head, lastId: last.id, segment } };
  }

  #transact(work: () => Written): readonly SealedEntry[] {
    const { store, place } = this.#options;
    const { database } = store;
    database.exec('BEGIN IMMEDIATE');
    try {
      const { entries, state } = work();
      database.exec('COMMIT');
      // After the commit: what went into a file that is no longer ours must not be acknowledged.
      place.assertKept();
      this.#state = state;
      return entries;
    } catch (error) {
      // Some failures have ended the transaction already; readers must not see what is left of it.
      if (database.isInTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  #seal(batch: readonly PreparedEntry[], time: string): SealedEntry[] {
    const { entries } = this.#options.store;
    let { sequence, hash: previousHash } = this.#state.head;
    let id = this.#firstId();
    const sealed = batch.map((prepared, index) => {
      sequence += 1;
      if (index > 0) id = following(id);
      const place = { id, sequence, time, previousHash };
      const canonical = toBytes(placeEntry(prepared, place));
      const hash = hashHex(canonical);
      previousHash = hash;
      return { ...prepared.draft, ...place, hash, canonical };
    });
    entries.insert(
      sequence - sealed.length + 1,
      sealed.map(({ canonical }) => canonical),
    );
    return sealed;
  }

  /** INVARIANT: ids rise with the sequence, also over a restart with a clock that went back. */
  #firstId(): EntryId {
    const { lastId } = this.#state;
    const id = this.#options.ids.next<'entry'>();
    return id > lastId ? id : following(lastId);
  }

  #project(entries: readonly SealedEntry[]): void {
    const { runs, runSpans } = this.#options.store;
    for (const entry of entries) {
      const { runId, sequence } = entry;
      if (runId === undefined) continue;
      runSpans.cover(runId, sequence);
      if (entry.kind === 'tool.finished') runSpans.countToolCall(runId);
      if (!entry.kind.startsWith('run.')) continue;
      const row = projectRun(runs.get(runId), entry);
      if (row !== undefined) runs.write(row);
    }
  }

  #fill(entries: readonly SealedEntry[], last: SealedEntry): Segment {
    const { store, segmentBytes } = this.#options;
    const added = entries.reduce((sum, entry) => sum + entry.canonical.length, 0);
    const bytes = this.#state.segment.bytes + added;
    const filled = { ...this.#state.segment, lastSequence: last.sequence, bytes };
    if (bytes < segmentBytes) return filled;
    store.segments.write(filled);
    const next = nextSegment(filled, last.hash);
    store.segments.write(next);
    return next;
  }
}

/** Through a Buffer, whose encoder is the fastest, but not as one: readers get plain bytes. */
function toBytes(text: string): Bytes {
  const buffer = Buffer.from(text);
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

/** Within a batch ids are counted up, which is what a ULID does within a millisecond. */
function following(id: string): EntryId {
  const after = idAfter<'entry'>(id);
  if (after === undefined) throw corrupt('there is no id after the last one');
  return after;
}
