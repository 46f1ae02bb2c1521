import {
  type EntryId,
  type Ids,
  type PreparedEntry,
  prepareEntry,
  type SealedEntry,
  type Signer,
  signHead,
} from '@palyra/kernel';
import { ByteWriter } from './byte-writer.ts';
import type { Change } from './change.ts';
import type { Statement } from './database.ts';
import type { Outcome } from './group-commit.ts';
import { applyWrites, changedDraft, conflictIn, told } from './record-writes.ts';
import type { RunBook } from './run-book.ts';
import { following, Sealer } from './sealer.ts';
import type { Store, StoreState } from './store.ts';
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
  readonly runBook: RunBook;
}

/** A segment that leaves the store, the hash of its last entry, and the entries that tell of it. */
export interface Cut {
  readonly segment: Segment;
  readonly hash: string;
  readonly notes: readonly PreparedEntry[];
}

interface Written<Result> {
  readonly result: Result;
  readonly sealed: readonly SealedEntry[];
  readonly state: StoreState;
  /** Tables of records that were written to. */
  readonly tables: Iterable<string>;
}

/** Writes batches of changes, each in one transaction together with everything that follows from it. */
export class StoreWriter {
  readonly #options: StoreWriterOptions;
  /** INVARIANT: what is on disk; moves only after a commit. */
  #state: StoreState;
  readonly #firstRevision: number;
  /** Of each table of records, since it was opened. Bounded by the tables that boxes have. */
  readonly #revisions = new Map<string, number>();
  readonly #bytes = new ByteWriter();
  readonly #begin: Statement;
  readonly #end: Statement;

  constructor(options: StoreWriterOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#firstRevision = options.state.head.sequence;
    this.#begin = options.store.database.prepare('BEGIN IMMEDIATE');
    this.#end = options.store.database.prepare('COMMIT');
  }

  get state(): StoreState {
    return this.#state;
  }

  /** A higher number after every commit that wrote to the table of records. */
  revision(table: string): number {
    return this.#revisions.get(table) ?? this.#firstRevision;
  }

  /** Contract: when it returns, every entry is durable; when it throws, whether they are is open. */
  commit(batch: readonly Change[]): readonly Outcome[] {
    const { runBook } = this.#options;
    const sealer = this.#sealer();
    return this.#transact(runBook.isDue ? 'with tables' : 'entries only', () => {
      const tables = new Set<string>();
      const result = batch.map((change) => {
        const outcome = this.#admit(change, sealer);
        if (Array.isArray(outcome)) for (const { table } of change.writes) tables.add(table);
        return outcome;
      });
      return { result, sealed: sealer.sealed, state: this.#write(sealer), tables };
    });
  }

  /** Brings the tables of runs up to the head. Contract: as of `commit`. */
  settle(): readonly [] {
    const nothing = [] as const;
    if (this.#options.runBook.isWritten) return nothing;
    const written = { result: nothing, sealed: nothing, state: this.#state, tables: nothing };
    return this.#transact('with tables', () => written);
  }

  /**
   * The store begins after `segment` from now on, and `notes` tell of it: all or nothing. The rows
   * of the segment are removed by whoever calls. Contract: as of `commit`.
   */
  cut({ segment, hash, notes }: Cut): readonly SealedEntry[] {
    const { store, signer, runBook } = this.#options;
    const start = { sequence: segment.lastSequence, hash };
    const sealer = this.#sealer();
    const sealed = this.#transact('with tables', () => {
      const result = notes.map((note) => sealer.seal(note));
      const state = this.#write(sealer);
      store.statements.writeStart(start, signer);
      store.segments.removeUpTo(segment.number);
      store.runSpans.forgetUpTo(segment.lastSequence);
      store.runs.forgetSpanless();
      return { result, sealed: result, state: { ...state, start }, tables: [] };
    });
    runBook.forget();
    return sealed;
  }

  /** With the tables of runs, which are then brought up to the entry before those that are written. */
  #transact<Result>(extent: 'entries only' | 'with tables', work: () => Written<Result>): Result {
    const { store, place, runBook } = this.#options;
    const { database } = store;
    this.#begin.run();
    try {
      if (extent === 'with tables') runBook.write(this.#state.head);
      const { result, sealed, state, tables } = work();
      for (const entry of sealed) runBook.add(entry);
      this.#end.run();
      // After the commit: what went into a file that is no longer ours must not be acknowledged.
      place.assertKept();
      this.#state = state;
      for (const table of tables) this.#revisions.set(table, state.head.sequence);
      return result;
    } catch (error) {
      // Some failures have ended the transaction already; readers must not see what is left of it.
      if (database.isInTransaction) database.exec('ROLLBACK');
      runBook.undo(this.#state.head);
      throw error;
    }
  }

  #sealer(): Sealer {
    const [bytes, after] = [this.#bytes, this.#state.head];
    // Before the id is made, so that the moment in the id is never before the time.
    const time = this.#options.now();
    return new Sealer({ after, firstId: this.#firstId(), time, bytes });
  }

  /** INVARIANT: ids rise with the sequence, also over a restart with a clock that went back. */
  #firstId(): EntryId {
    const { lastId } = this.#state;
    const id = this.#options.ids.next<'entry'>();
    return id > lastId ? id : following(lastId);
  }

  /** Records are compared here, within the transaction, so that changes of one batch see one another. */
  #admit({ entries, writes }: Change, sealer: Sealer): Outcome {
    const { records } = this.#options.store;
    const conflict = writes.length === 0 ? undefined : conflictIn(records, writes);
    if (conflict !== undefined) return conflict;
    const sealed = entries.map((entry) => sealer.seal(entry));
    const [first] = sealed;
    if (writes.length === 0 || first === undefined) return sealed;
    const version = sealer.sequence + 1;
    const note = changedDraft(first.actor, told(writes, version, records));
    applyWrites(records, writes, version);
    return [...sealed, sealer.seal(prepareEntry(note))];
  }

  /** Writes what was sealed and all that follows from it. Contract: the state as it was for nothing. */
  #write({ sealed, time }: Sealer): StoreState {
    const { store, signer } = this.#options;
    const last = sealed.at(-1);
    if (last === undefined) return this.#state;
    store.entries.insert(sealed);
    const segment = this.#fill(sealed, last);
    const head = signHead(last, time, signer);
    store.statements.writeHead({ head, segmentBytes: segment.bytes });
    return { ...this.#state, head, lastId: last.id, segment };
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
