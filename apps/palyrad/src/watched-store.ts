import type { JournalPort } from '@palyra/gateway';
import type { Journal } from '@palyra/journal';
import { type ErrorCode, PalyraError } from '@palyra/kernel';

export type Store = JournalPort & Pick<Journal, 'activity' | 'records' | 'runs'>;

export interface WatchedStore extends Pick<Store, 'activity' | 'records' | 'runs'> {
  readonly journal: JournalPort;
}

/**
 * The same store, which tells once when it can no longer be written, or when something that was read
 * of it is not what was written. From then on every write is refused until it is opened anew, so
 * whoever waits for the daemon to work should hear of it.
 */
export function watchStore(store: Store, onFault: (error: PalyraError) => void): WatchedStore {
  const watch = new Watch(onFault);
  const { records, runs, activity } = store;
  return {
    journal: {
      append: (drafts) => watch.writing(() => store.append(drafts)),
      tip: () => store.tip(),
      find: (id) => watch.reading(store.find(id)),
      page: (query) => watch.reading(store.page(query)),
      list: (query) => watch.reading(store.list(query)),
      subscribe: (listener) => store.subscribe(listener),
      exportLines: (...from) => watch.lines(store.exportLines(...from)),
      // What it finds wrong may be wrong with a file that lies where an archive is to go.
      archive: (before, actor) => watch.unlessFaulty(() => store.archive(before, actor)),
    },
    records: {
      get: (...from) => watch.reading(records.get(...from)),
      list: (...from) => watch.reading(records.list(...from)),
      count: (table) => watch.reading(records.count(table)),
      revision: (table) => records.revision(table),
      transact: (change) => watch.writing(() => records.transact(change)),
    },
    runs: {
      get: (id) => watch.reading(runs.get(id)),
      list: (query) => watch.reading(runs.list(query)),
      active: () => watch.reading(runs.active()),
    },
    activity: {
      hours: (since) => watch.reading(activity.hours(since)),
      rules: (since) => watch.reading(activity.rules(since)),
    },
  };
}

/** After these nothing that is written could be relied on. */
const FAULTS: ReadonlySet<ErrorCode> = new Set(['JOURNAL_CORRUPT', 'JOURNAL_UNWRITABLE']);

class Watch {
  readonly #onFault: (error: PalyraError) => void;
  #fault: PalyraError | undefined;

  constructor(onFault: (error: PalyraError) => void) {
    this.#onFault = onFault;
  }

  reading<Result>(read: Promise<Result>): Promise<Result> {
    return read.catch((reason: unknown) => this.#notice(reason));
  }

  writing<Result>(write: () => Promise<Result>): Promise<Result> {
    return this.reading(this.unlessFaulty(write));
  }

  /** The store itself does not hear of what was wrong with something that was read. */
  unlessFaulty<Result>(write: () => Promise<Result>): Promise<Result> {
    return this.#fault === undefined ? write() : Promise.reject(this.#fault);
  }

  async *lines<Line>(lines: AsyncIterable<Line>): AsyncGenerator<Line, void, undefined> {
    try {
      yield* lines;
    } catch (reason) {
      this.#notice(reason);
    }
  }

  #notice(reason: unknown): never {
    const error = PalyraError.from(reason);
    if (this.#fault === undefined && FAULTS.has(error.code)) {
      this.#fault = error;
      this.#onFault(error);
    }
    throw reason;
  }
}
