import { type Effects, canMeet } from './effects.ts';

/** Calls of one turn that run at once. */
export const MAX_RUNNING = 4;

/** A call's place among those of its turn. Contract: leaves whatever became of it. */
export interface Lane extends Disposable {
  /** No other call is in its turn: it never waits, and nobody waits for it. */
  readonly isAlone: boolean;
  /**
   * Waits until nothing goes on that the call could meet. Contract: rejects with the signal's reason;
   * `waited` when time has passed, so that what was decided before may no longer hold.
   */
  enter(signal: AbortSignal): Promise<'at-once' | 'waited'>;
}

/** For a call that nothing else goes on beside. */
export const OPEN_LANE: Lane = {
  isAlone: true,
  enter: async () => 'at-once',
  [Symbol.dispose]: () => {},
};

/** Does what waits for others than us, as a stopwatch does. */
type Wait = <Result>(task: () => Promise<Result>) => Promise<Result>;

/**
 * Lets the calls of one turn run beside one another where their effects cannot meet, and in the order
 * of the calls where they can. INVARIANT: a call waits only for earlier ones and for those that run.
 */
export class Lanes {
  readonly #effects: readonly Effects[];
  readonly #wait: Wait;
  readonly #over = new Set<number>();
  readonly #running = new Set<number>();
  #changed = Promise.withResolvers<void>();

  constructor(effects: readonly Effects[], wait: Wait) {
    this.#effects = effects;
    this.#wait = wait;
  }

  laneOf(place: number): Lane {
    return {
      isAlone: this.#effects.length === 1,
      enter: async (signal) => await this.#enter(place, signal),
      [Symbol.dispose]: () => {
        this.#running.delete(place);
        this.#over.add(place);
        this.#tell();
      },
    };
  }

  async #enter(place: number, signal: AbortSignal): Promise<'at-once' | 'waited'> {
    signal.throwIfAborted();
    if (this.#isFree(place)) return this.#run(place, 'at-once');
    const onAbort = () => this.#tell();
    signal.addEventListener('abort', onAbort);
    try {
      // Behind a call that waits for a person it waits for that person, too.
      return await this.#wait(() => this.#runWhenFree(place, signal));
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** INVARIANT: no pause between the last look and the start, or two would take one place. */
  async #runWhenFree(place: number, signal: AbortSignal): Promise<'waited'> {
    while (!this.#isFree(place)) {
      await this.#changed.promise;
      signal.throwIfAborted();
    }
    return this.#run(place, 'waited');
  }

  #run<How>(place: number, how: How): How {
    this.#running.add(place);
    return how;
  }

  #isFree(place: number): boolean {
    if (this.#running.size >= MAX_RUNNING) return false;
    const own = this.#effects[place] ?? { kind: 'unknown' };
    return this.#effects
      .slice(0, place)
      .every((earlier, index) => this.#over.has(index) || !canMeet(earlier, own));
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
