import { PalyraError, type PreparedEntry, type SealedEntry } from '@palyra/kernel';
import { storeFault } from './store-fault.ts';

export interface GroupCommitOptions {
  readonly batchEntries: number;
  readonly batchBytes: number;
  readonly queueEntries: number;
  readonly queueBytes: number;
  /** Contract: returns once all are durable; may throw, and then nothing is known about them. */
  readonly commit: (batch: readonly PreparedEntry[]) => readonly SealedEntry[];
  /** Contract: called after each commit; nothing is written until the promise, if any, is settled. */
  readonly rest: () => Promise<void> | undefined;
  /** Called after each commit and write, before any waiter goes on; must not throw. */
  readonly onCommit: (entries: readonly SealedEntry[]) => void;
}

interface Waiter {
  readonly entries: readonly PreparedEntry[];
  readonly bytes: number;
  readonly done: PromiseWithResolvers<readonly SealedEntry[]>;
}

type State =
  | { readonly at: 'open' }
  | { readonly at: 'closed' }
  | { readonly at: 'failed'; readonly fault: PalyraError };

/**
 * Appends that arrive in the same turn of the event loop share one commit, and so one fsync.
 * What one call appends is never split.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #queue: Waiter[] = [];
  #queuedEntries = 0;
  #queuedBytes = 0;
  #isScheduled = false;
  #isResting = false;
  #state: State = { at: 'open' };
  #idle = Promise.withResolvers<void>();

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  append(entries: readonly PreparedEntry[]): Promise<readonly SealedEntry[]> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    const bytes = entries.reduce((sum, entry) => sum + entry.limitBytes, 0);
    if (!this.#hasRoom(entries.length, bytes)) {
      return Promise.reject(new PalyraError('OVERLOADED', 'too many entries wait to be written'));
    }
    const done = Promise.withResolvers<readonly SealedEntry[]>();
    this.#queue.push({ entries, bytes, done });
    this.#queuedEntries += entries.length;
    this.#queuedBytes += bytes;
    this.#schedule();
    return done.promise;
  }

  /** Contract: takes nothing more, and resolves when what was taken is written or refused. */
  async close(): Promise<void> {
    if (this.#state.at === 'open') this.#state = { at: 'closed' };
    if (this.#queue.length > 0) await this.#idle.promise;
  }

  /** Contract: throws what an append would be refused with. */
  assertOpen(): void {
    const refusal = this.#refusal();
    if (refusal !== undefined) throw refusal;
  }

  /**
   * Writes at once, between two commits, what is no append. Contract: `work` is like `commit`; when
   * it throws, nothing more is written.
   */
  write(work: () => readonly SealedEntry[]): void {
    this.assertOpen();
    let sealed: readonly SealedEntry[];
    try {
      sealed = work();
    } catch (error) {
      throw this.#fail(error);
    }
    this.#options.onCommit(sealed);
  }

  /** From now on nothing is written: the store is not what it was thought to be. */
  #fail(reason: unknown): PalyraError {
    const fault = unwritable(reason);
    this.#state = { at: 'failed', fault };
    const waiters = this.#queue;
    this.#queue = [];
    for (const waiter of waiters) waiter.done.reject(fault);
    this.#idle.resolve();
    return fault;
  }

  #refusal(): PalyraError | undefined {
    switch (this.#state.at) {
      case 'open':
        return undefined;
      case 'closed':
        return new PalyraError('SHUTTING_DOWN', 'the journal is closed');
      case 'failed':
        return this.#state.fault;
    }
  }

  #hasRoom(entries: number, bytes: number): boolean {
    const { queueEntries, queueBytes } = this.#options;
    // An empty queue takes any one call, or a large one could never be written.
    if (this.#queue.length === 0) return true;
    return this.#queuedEntries + entries <= queueEntries && this.#queuedBytes + bytes <= queueBytes;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isResting) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const batch = this.#cut();
    if (batch.length === 0) return;
    const sealed = this.#commit(batch);
    if (sealed === undefined) return;
    this.#answer(batch, sealed);
    this.#rest();
    this.#goOn();
    // Last, and not caught: a listener that throws has broken its contract, but not the journal.
    this.#options.onCommit(sealed);
  }

  #commit(batch: readonly Waiter[]): readonly SealedEntry[] | undefined {
    try {
      return this.#options.commit(batch.flatMap((waiter) => waiter.entries));
    } catch (error) {
      const fault = this.#fail(error);
      for (const waiter of batch) waiter.done.reject(fault);
      return undefined;
    }
  }

  #goOn(): void {
    if (this.#queue.length > 0) this.#schedule();
    else this.#becomeIdle();
  }

  #rest(): void {
    const rest = this.#attempt(() => this.#options.rest());
    if (rest === undefined) return;
    this.#isResting = true;
    rest.then(
      () => {
        this.#isResting = false;
        this.#goOn();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #cut(): Waiter[] {
    const { batchEntries, batchBytes } = this.#options;
    let entries = 0;
    let bytes = 0;
    const end = this.#queue.findIndex((waiter) => {
      entries += waiter.entries.length;
      bytes += waiter.bytes;
      return entries > batchEntries || bytes > batchBytes;
    });
    const batch = this.#queue.splice(0, end === -1 ? this.#queue.length : Math.max(end, 1));
    for (const waiter of batch) {
      this.#queuedEntries -= waiter.entries.length;
      this.#queuedBytes -= waiter.bytes;
    }
    return batch;
  }

  #answer(batch: readonly Waiter[], sealed: readonly SealedEntry[]): void {
    let from = 0;
    for (const waiter of batch) {
      const to = from + waiter.entries.length;
      waiter.done.resolve(sealed.slice(from, to));
      from = to;
    }
  }

  #becomeIdle(): void {
    this.#idle.resolve();
    this.#idle = Promise.withResolvers<void>();
  }
}

function unwritable(reason: unknown): PalyraError {
  const fault = storeFault(reason);
  if (fault.code === 'JOURNAL_UNWRITABLE') return fault;
  return new PalyraError('JOURNAL_UNWRITABLE', fault.message, { cause: fault });
}
