import { PalyraError } from '@palyra/kernel';
import { WarmCompiler } from './warm-compiler.ts';

/** What is to come into force never waits for what somebody only wants to know. */
export type Lane = 'force' | 'question';

/** Whoever saves a file saves the next soon; longer than that tens of megabytes are not kept. */
const IDLE_MS = 5_000;
/** In a lane, with the one that is being made. */
const MAX_WAITING = 8;

/** Processes that make sets of texts: one for each lane, and one after the other in each. */
export class Compilers implements AsyncDisposable {
  readonly #lanes: Readonly<Record<Lane, CompileLane>> = {
    force: new CompileLane(),
    question: new CompileLane(),
  };

  /** Contract: OVERLOADED when too many wait. */
  add<Result>(lane: Lane, work: CompileWork<Result>): Promise<Result> {
    return this.#lanes[lane].add(work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const lane of Object.values(this.#lanes)) await lane.compiler[Symbol.asyncDispose]();
  }
}

type CompileWork<Result> = (compiler: WarmCompiler) => Promise<Result>;

class CompileLane {
  readonly compiler = new WarmCompiler(IDLE_MS);
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  async add<Result>(work: CompileWork<Result>): Promise<Result> {
    if (this.#waiting >= MAX_WAITING) {
      throw new PalyraError('OVERLOADED', `${MAX_WAITING} sets of rules are being looked at`);
    }
    this.#waiting += 1;
    const result = this.#last.then(() => work(this.compiler));
    // The next one waits for the end of this one, not for its success.
    this.#last = Promise.allSettled([result]);
    try {
      return await result;
    } finally {
      this.#waiting -= 1;
    }
  }
}
