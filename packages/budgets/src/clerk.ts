import { retryOnConflict } from '@palyra/records';
import { type BudgetBooks, accountOf, enter } from './budget-books.ts';
import type { Account } from './ledger.ts';

export interface Decided<Answer> {
  /** As it was for what changes nothing. */
  readonly account: Account;
  readonly answer: Answer;
}

interface Job {
  readonly runId: string;
  step(account: Account): Account;
  alongside(): void;
  done(): void;
  failed(reason: unknown): void;
}

/** A change of records has at most 64 writes; the day is one, each run another. */
const MOST_AT_ONCE = 32;

/**
 * Does what the runs of one principal want, as much as has come together in one write: a hundred that
 * start at once would otherwise wait for a hundred.
 */
export class Clerk {
  readonly #books: BudgetBooks;
  readonly #principal: string;
  readonly #onIdle: () => void;
  readonly #jobs: Job[] = [];
  #work: Promise<void> | undefined;

  constructor(books: BudgetBooks, principal: string, onIdle: () => void) {
    this.#books = books;
    this.#principal = principal;
    this.#onIdle = onIdle;
  }

  /**
   * Contract: resolves when what was decided is durable. `decide` is pure: it is asked again when
   * somebody else was faster. `alongside` is called once, when what was decided first is on its way to
   * the disk, and not yet there.
   */
  async do<Answer>(
    runId: string,
    decide: (account: Account) => Decided<Answer>,
    alongside: () => void = () => {},
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    let decided: Decided<Answer>;
    let isCalled = false;
    this.#jobs.push({
      runId,
      alongside: () => {
        if (!isCalled) alongside();
        isCalled = true;
      },
      step: (account) => {
        decided = decide(account);
        return decided.account;
      },
      done: () => resolve(decided.answer),
      failed: reject,
    });
    if (this.#work === undefined) this.#work = this.#workAll();
    return await promise;
  }

  async #workAll(): Promise<void> {
    while (this.#jobs.length > 0) await this.#workThrough(this.#jobs.splice(0, MOST_AT_ONCE));
    this.#work = undefined;
    this.#onIdle();
  }

  async #workThrough(jobs: readonly Job[]): Promise<void> {
    try {
      await retryOnConflict(async () => {
        const runIds = new Set(jobs.map(({ runId }) => runId));
        const accounts = await this.#books.open(this.#principal, runIds);
        for (const job of jobs) {
          enter(accounts, job.runId, job.step(accountOf(accounts, job.runId)));
        }
        const saving = this.#books.save(accounts);
        for (const job of jobs) job.alongside();
        await saving;
      });
      for (const job of jobs) job.done();
    } catch (reason) {
      for (const job of jobs) job.failed(reason);
    }
  }
}
