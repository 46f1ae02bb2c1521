import { setImmediate } from 'node:timers/promises';

/** About two milliseconds of reading and comparing. */
const SLICE = 262_144;
/** What opening or looking at one entry weighs beside a byte that is read. */
export const ENTRY_COST = 4096;

/** Lets others go first after each slice of work: one that reads a million files holds up nobody. */
export class Pace {
  readonly #signal: AbortSignal;
  #spent = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Contract: `undefined` while there is time left, so that nobody waits for nothing; else rejects with
   * the reason of the signal when that is aborted.
   */
  spend(cost: number): Promise<void> | undefined {
    this.#spent += cost;
    return this.#spent < SLICE ? undefined : this.#rest();
  }

  async #rest(): Promise<void> {
    this.#spent = 0;
    await setImmediate();
    this.#signal.throwIfAborted();
  }
}
