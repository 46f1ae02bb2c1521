import type { Settled } from './decide.ts';

export const MAX_CACHED_DECISIONS = 4096;
/** Of all keys; a key is the text of what rules can tell of a request. */
export const MAX_CACHED_CHARACTERS = 8_388_608;

interface Remembered {
  readonly key: string;
  readonly settled: Settled;
}

/**
 * What was decided lately, by the text of what rules can tell of a request. The whole text is the key,
 * not a digest of it: two requests share an answer only if no rule can tell them apart.
 */
export class DecisionCache {
  /** The one used longest ago comes first. */
  readonly #decisions = new Map<string, Remembered>();
  #characters = 0;

  get size(): number {
    return this.#decisions.size;
  }

  /** Contract: from here on this one is the last to be forgotten. */
  get(key: string): Settled | undefined {
    const remembered = this.#decisions.get(key);
    if (remembered === undefined) return undefined;
    this.#decisions.delete(key);
    // Under the text that it always had: keeping each new copy would cost more than all the rest.
    this.#decisions.set(remembered.key, remembered);
    return remembered.settled;
  }

  /** Contract: for a key that is not there. */
  add(key: string, settled: Settled): void {
    this.#decisions.set(key, { key, settled });
    this.#characters += key.length;
    while (this.#isOverfull()) this.#forgetOldest();
  }

  #isOverfull(): boolean {
    return this.#decisions.size > MAX_CACHED_DECISIONS || this.#characters > MAX_CACHED_CHARACTERS;
  }

  #forgetOldest(): void {
    const [oldest = ''] = this.#decisions.keys();
    this.#decisions.delete(oldest);
    this.#characters -= oldest.length;
  }
}
