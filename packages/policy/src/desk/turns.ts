import { PalyraError } from '@palyra/kernel';

/** One after the other, and no more than so many waiting. */
export class Turns {
  readonly #most: number;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Contract: OVERLOADED when too many wait; whatever work rejects with otherwise. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    // The one that is at work does not wait.
    if (this.#waiting > this.#most) {
      throw new PalyraError('OVERLOADED', `${this.#most} others wait for an explanation`, {
        help: 'try again in a moment',
      });
    }
    this.#waiting += 1;
    const result = this.#last.then(work);
    // The next one waits for the end of this one, not for its success.
    this.#last = Promise.allSettled([result]);
    try {
      return await result;
    } finally {
      this.#waiting -= 1;
    }
  }
}
