import type { GatewayParts, JournalPort } from '@palyra/gateway';
import { type ErrorCode, PalyraError } from '@palyra/kernel';

/** What keeps records beside the journal. */
interface Keeping {
  get(table: string, id: string): Promise<unknown>;
  list(table: string, query: never): Promise<unknown>;
  count(table: string): Promise<unknown>;
  transact(change: never): Promise<unknown>;
}

type Told = Pick<GatewayParts, 'activity' | 'runs'>;
export type Store<Records> = JournalPort & Told & { readonly records: Records };
export type WatchedStore<Records> = Told & {
  readonly journal: JournalPort;
  readonly records: Records;
};

/**
 * The same store, which tells once when it can no longer be written, or when something that was read
 * of it is not what was written. From then on every write is refused until it is opened anew, so
 * whoever waits for the daemon to work should hear of it.
 */
export function watchStore<Records extends Keeping>(
  store: Store<Records>,
  onFault: (error: PalyraError) => void,
): WatchedStore<Records> {
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
      ...records,
      get: (table: string, id: string) => watch.reading(records.get(table, id)),
      list: (table: string, query: never) => watch.reading(records.list(table, query)),
      count: (table: string) => watch.reading(records.count(table)),
      transact: (change: never) => watch.writing(() => records.transact(change)),
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

/** After these nothing that is written could be relied on. A read that failed may well succeed the next time. */
const OF_READS: ReadonlySet<ErrorCode> = new Set(['JOURNAL_CORRUPT']);
const OF_WRITES: ReadonlySet<ErrorCode> = new Set(['JOURNAL_CORRUPT', 'JOURNAL_UNWRITABLE']);

class Watch {
  readonly #onFault: (error: PalyraError) => void;
  #fault: PalyraError | undefined;

  constructor(onFault: (error: PalyraError) => void) {
    this.#onFault = onFault;
  }

  reading<Result>(read: Promise<Result>): Promise<Result> {
    return read.catch((reason: unknown) => this.#notice(reason, OF_READS));
  }

  writing<Result>(write: () => Promise<Result>): Promise<Result> {
    return this.unlessFaulty(write).catch((reason: unknown) => this.#notice(reason, OF_WRITES));
  }

  /** The store itself does not hear of what was wrong with something that was read. */
  unlessFaulty<Result>(write: () => Promise<Result>): Promise<Result> {
    return this.#fault === undefined ? write() : Promise.reject(this.#fault);
  }

  async *lines<Line>(lines: AsyncIterable<Line>): AsyncGenerator<Line, void, undefined> {
    try {
      yield* lines;
    } catch (reason) {
      this.#notice(reason, OF_READS);
    }
  }

  #notice(reason: unknown, faults: ReadonlySet<ErrorCode>): never {
    const error = PalyraError.from(reason);
    if (this.#fault === undefined && faults.has(error.code)) {
      this.#fault = error;
      this.#onFault(error);
    }
    throw reason;
  }
}
