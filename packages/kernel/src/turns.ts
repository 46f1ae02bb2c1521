/**
 * Long work of many at once, a slice of it in each turn of the event loop, whoever's it is: with more of
 * it each takes longer, and a turn does not. In the order in which they came, so that nobody waits for
 * the end of another's.
 */
export class Turns {
  readonly #later: (turn: () => void) => void;
  readonly #waiting: (() => void)[] = [];

  /** Contract: `later` calls in the next turn of the event loop, never in this one. */
  constructor(later: (turn: () => void) => void) {
    this.#later = later;
  }

  /** Resolves when it is the caller's turn, for one slice. */
  next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (this.#waiting.length === 1) this.#later(() => this.#give());
    return promise;
  }

  #give(): void {
    const mine = this.#waiting.shift();
    if (this.#waiting.length > 0) this.#later(() => this.#give());
    mine?.();
  }
}
