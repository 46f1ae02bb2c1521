import { accessSync, constants } from 'node:fs';
import {
  type Bytes,
  type EntryDraft,
  PalyraError,
  type SealedEntry,
  type Signer,
  Turns,
} from '@palyra/kernel';
import { hasPrivateFile, makePrivateDirectory, syncPath } from '@palyra/private-files';
import {
  archivable,
  archiveSegment,
  assertQuiet,
  proveSegments,
  removeArchived,
  removeDrafts,
} from './archive.ts';
import { bytesOf, type Change, prepareDrafts } from './change.ts';
import { Checkpointer } from './checkpointer.ts';
import { GroupCommit } from './group-commit.ts';
import type {
  Activity,
  ArchivedSegment,
  ArchiveOutcome,
  ExportFilter,
  Journal,
  JournalOptions,
  Listener,
  Records,
  Runs,
} from './journal.ts';
import { exportPart, exportRange, exportRun, type ExportSource } from './journal-export.ts';
import { activityOf } from './activity.ts';
import { JournalReader } from './journal-reader.ts';
import { makeLogRoom } from './log-room.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { RecordsCheck } from './records-check.ts';
import { RunBook } from './run-book.ts';
import { recordsOf } from './records.ts';
import { isSettled, openSigner, settleKey } from './signing-key.ts';
import { openStore, readState, storeGone, type Store, type StoreState } from './store.ts';
import { guarded, storeFault } from './store-fault.ts';
import { lockStore } from './store-lock.ts';
import { StorePlace } from './store-place.ts';
import { StoreWriter } from './store-writer.ts';
import { dirname } from 'node:path';

const MAX_RUNS = 500;
const NO_WRITES: Change['writes'] = [];

/**
 * Opens the journal for this process alone. Rejects with DAEMON_RUNNING, HOME_UNSAFE,
 * JOURNAL_CORRUPT, JOURNAL_KEY_UNUSABLE, JOURNAL_LOCKED, JOURNAL_TOO_NEW or JOURNAL_UNWRITABLE.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  try {
    await using held = new AsyncDisposableStack();
    const { places } = options;
    makePrivateDirectory(places.stateDir);
    makePrivateDirectory(dirname(places.storeFile));
    // Of a read-only disk SQLite would only tell that the store cannot be opened.
    accessSync(dirname(places.storeFile), constants.W_OK);
    held.use(lockStore(places.lockFile));
    const signer = options.signer ?? (await openSigner(places));
    if (isSettled(places) && !hasPrivateFile(places.storeFile)) throw storeGone();
    const now = () => options.clock.now().toISOString();
    const store = held.use(
      openStore({ file: places.storeFile, signer, now, migrations: MIGRATIONS }),
    );
    const state = readState(store, signer);
    // SQLite does not tell when the new log's place in its directory cannot be made durable.
    syncPath(dirname(places.storeFile));
    settleKey(places);
    makeLogRoom(places.storeFile);
    const runBook = new RunBook(store, state.head);
    return new StoreJournal({ ...options, signer, now, store, state, runBook, held: held.move() });
  } catch (error) {
    throw storeFault(error);
  }
}

interface Parts extends JournalOptions {
  readonly signer: Signer;
  readonly now: () => string;
  readonly store: Store;
  readonly state: StoreState;
  readonly runBook: RunBook;
  readonly held: AsyncDisposableStack;
}

class StoreJournal implements Journal {
  readonly #parts: Parts;
  readonly #writer: StoreWriter;
  readonly #reader: JournalReader;
  readonly #commits: GroupCommit;
  readonly #checkpointer: Checkpointer;
  readonly #listeners = new Set<Listener>();
  readonly #turns = new Turns((turn) => void setImmediate(turn));
  readonly runs: Runs;
  readonly activity: Activity;
  readonly records: Records;
  #exports = 0;
  #isArchiving = false;

  constructor(parts: Parts) {
    const { store, settings, runBook } = parts;
    this.#parts = parts;
    this.#checkpointer = new Checkpointer(store.database);
    this.#writer = new StoreWriter({
      ...parts,
      segmentBytes: settings.segment_bytes,
      place: new StorePlace(store.file, parts.clock),
    });
    this.#reader = new JournalReader({
      store,
      runBook,
      state: () => this.#writer.state,
      turns: this.#turns,
    });
    this.#commits = new GroupCommit({
      batchEntries: settings.batch_entries,
      batchBytes: settings.batch_bytes,
      queueEntries: settings.queue_entries,
      queueBytes: settings.queue_bytes,
      commit: (batch) => this.#writer.commit(batch),
      afterCommit: () => this.#checkpointer.afterCommit(),
      onCommit: (entries) => this.#publish(entries),
      finish: () => void this.#writer.settle(),
    });
    this.runs = runsOf(runBook);
    this.activity = activityOf(runBook);
    this.records = recordsOf({
      rows: store.records,
      commits: this.#commits,
      limitBytes: settings.entry_bytes,
      revision: (table) => this.#writer.revision(table),
    });
  }

  // Not async: that would cost each append another promise and three turns of waiting for it.
  append(drafts: readonly EntryDraft[]): Promise<readonly SealedEntry[]> {
    try {
      this.#commits.assertOpen();
      if (drafts.length === 0) return Promise.resolve([]);
      const entries = prepareDrafts(drafts, this.#parts.settings.entry_bytes);
      return this.#commits.append({ entries, writes: NO_WRITES, limitBytes: bytesOf(entries) });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  tip() {
    const { sequence, hash } = this.#writer.state.head;
    return { sequence, hash };
  }

  find: Journal['find'] = (id) => guarded(() => this.#reader.find(id));

  page: Journal['page'] = (query) => guarded(() => this.#reader.page(query));

  list: Journal['list'] = (query) => guarded(() => this.#reader.list(query));

  subscribe(listener: Listener): Disposable {
    // Its own function each time, so that one listener can subscribe twice.
    const own: Listener = (entries) => listener(entries);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }

  async *exportLines(
    { runId, range }: ExportFilter,
    signal?: AbortSignal,
  ): AsyncGenerator<Bytes, void, undefined> {
    if (this.#isArchiving) throw new PalyraError('OVERLOADED', 'a segment is being archived');
    this.#exports += 1;
    try {
      const { start, head } = this.#writer.state;
      const source = { ...this.#source(), signal };
      if (runId !== undefined) return yield* exportRun(source, { runId, start, head });
      if (range === undefined) return yield* exportRange(source, { start, end: head, head });
      const { from = start.sequence + 1, to = head.sequence } = range;
      return yield* exportPart(source, { from, to, start, head });
    } catch (error) {
      // Whoever left is no fault of the store.
      signal?.throwIfAborted();
      throw storeFault(error);
    } finally {
      this.#exports -= 1;
    }
  }

  async archive(before: number, actor: string): Promise<ArchiveOutcome> {
    this.#commits.assertOpen();
    assertQuiet(this.#exports + (this.#isArchiving ? 1 : 0));
    this.#isArchiving = true;
    try {
      return await this.#archiveAll(before, actor);
    } catch (error) {
      throw storeFault(error);
    } finally {
      this.#isArchiving = false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#commits.close();
    await this.#parts.held.disposeAsync();
  }

  async #archiveAll(before: number, actor: string): Promise<ArchiveOutcome> {
    const { store, places } = this.#parts;
    const { archiveDir } = places;
    makePrivateDirectory(archiveDir);
    await removeDrafts(archiveDir);
    const writer = this.#writer;
    const commits = this.#commits;
    // Which runs may go on is asked of the tables.
    commits.write(() => writer.settle());
    const { segments, ...stayed } = archivable(store, before);
    const records = new RecordsCheck();
    // What is appended meanwhile counts too: a record must not be told of as it was before.
    using _listening = this.subscribe((entries) => entries.forEach((entry) => records.add(entry)));
    const proven = await proveSegments({ store, state: writer.state, records }, segments);
    const archived: ArchivedSegment[] = [];
    for (const segment of proven) {
      const options = { source: this.#source(), writer, commits, archiveDir, actor, records };
      archived.push(await archiveSegment(options, segment));
    }
    await removeArchived(store, writer.state.start.sequence);
    return { segments: archived, ...stayed };
  }

  #source(): ExportSource {
    const { store, runBook, signer, now } = this.#parts;
    return { store, runBook, signer, exportedAt: now(), turns: this.#turns };
  }

  #publish(entries: readonly SealedEntry[]): void {
    for (const listener of this.#listeners) listener(entries);
  }
}

function runsOf(runBook: RunBook): Runs {
  return {
    get: (runId) => guarded(() => runBook.run(runId)),
    list: (query) =>
      guarded(() => runBook.list({ ...query, limit: Math.min(query.limit, MAX_RUNS) })),
    active: () => guarded(() => runBook.active()),
  };
}
