import { PalyraError, type SealedEntry } from '@palyra/kernel';
import type { Change } from './change.ts';
import { storeFault } from './store-fault.ts';

export interface GroupCommitOptions {
  readonly batchEntries: number;
  readonly batchBytes: number;
  readonly queueEntries: number;
  readonly queueBytes: number;
  /**
   * Contract: returns once all are durable, an outcome for each change; may throw, and then nothing
   * is known about them.
   */
  readonly commit: (batch: readonly Change[]) => readonly Outcome[];
  /** Contract: called after each commit; when it throws, nothing more is written. */
  readonly afterCommit: () => void;
  /** Called after each commit and write, before any waiter goes on; must not throw. */
  readonly onCommit: (entries: readonly SealedEntry[]) => void;
  /** Contract: called when the last append is written; nobody waits for what it writes. */
  readonly finish: () => void;
}

/** The entries of a change, or why nothing of it was written; the others of the batch were. */
export type Outcome = readonly SealedEntry[] | PalyraError;

interface Waiter {
  readonly change: Change;
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
  #state: State = { at: 'open' };
  #idle = Promise.withResolvers<void>();

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  append(change: Change): Promise<readonly SealedEntry[]> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    if (!this.#hasRoom(change)) {
      return Promise.reject(new PalyraError('OVERLOADED', 'too many entries wait to be written'));
    }
    const done = Promise.withResolvers<readonly SealedEntry[]>();
    this.#queue.push({ change, done });
    this.#queuedEntries += change.entries.length;
    this.#queuedBytes += change.limitBytes;
    this.#schedule();
    return done.promise;
  }

  /** Contract: takes nothing more, and resolves when what was taken is written or refused. */
  async close(): Promise<void> {
    if (this.#state.at === 'open') this.#state = { at: 'closed' };
    if (this.#queue.length > 0) await this.#idle.promise;
    if (this.#refusal()?.code === 'SHUTTING_DOWN') this.#attempt(() => this.#options.finish());
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
    if (sealed.length > 0) this.#options.onCommit(sealed);
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

  #hasRoom({ entries, limitBytes }: Change): boolean {
    const { queueEntries, queueBytes } = this.#options;
    // An empty queue takes any one call, or a large one could never be written.
    if (this.#queue.length === 0) return true;
    if (this.#queuedEntries + entries.length > queueEntries) return false;
    return this.#queuedBytes + limitBytes <= queueBytes;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const batch = this.#cut();
    if (batch.length === 0) return;
    const outcomes = this.#commit(batch);
    if (outcomes === undefined) return;
    const sealed = answer(batch, outcomes);
    this.#attempt(() => this.#options.afterCommit());
    this.#goOn();
    // Last, and not caught: a listener that throws has broken its contract, but not the journal.
    if (sealed.length > 0) this.#options.onCommit(sealed);
  }

  #commit(batch: readonly Waiter[]): readonly Outcome[] | undefined {
    try {
      return this.#options.commit(batch.map(({ change }) => change));
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

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #cut(): Waiter[] {
    const { batchEntries, batchBytes } = this.#options;
    if (this.#queuedEntries <= batchEntries && this.#queuedBytes <= batchBytes) {
      const all = this.#queue;
      this.#queue = [];
      this.#queuedEntries = 0;
      this.#queuedBytes = 0;
      return all;
    }
    let entries = 0;
    let bytes = 0;
    const end = this.#queue.findIndex((waiter) => {
      entries += waiter.change.entries.length;
      bytes += waiter.change.limitBytes;
      return entries > batchEntries || bytes > batchBytes;
    });
    const batch = this.#queue.splice(0, end === -1 ? this.#queue.length : Math.max(end, 1));
    for (const { change } of batch) {
      this.#queuedEntries -= change.entries.length;
      this.#queuedBytes -= change.limitBytes;
    }
    return batch;
  }

  #becomeIdle(): void {
    this.#idle.resolve();
    this.#idle = Promise.withResolvers<void>();
  }
}

/** Tells each waiter its outcome, and returns every entry that was written. */
function answer(batch: readonly Waiter[], outcomes: readonly Outcome[]): readonly SealedEntry[] {
  const sealed: SealedEntry[] = [];
  let place = 0;
  for (const { done } of batch) {
    const outcome = outcomes[place] ?? missingOutcome();
    place += 1;
    if (outcome instanceof PalyraError) {
      done.reject(outcome);
    } else {
      done.resolve(outcome);
      for (const entry of outcome) sealed.push(entry);
    }
  }
  return sealed;
}

function missingOutcome(): PalyraError {
  return new PalyraError('UNEXPECTED', 'a change was left without an outcome');
}

function unwritable(reason: unknown): PalyraError {
  const fault = storeFault(reason);
  if (fault.code === 'JOURNAL_UNWRITABLE') return fault;
  return new PalyraError('JOURNAL_UNWRITABLE', fault.message, { cause: fault });
}
