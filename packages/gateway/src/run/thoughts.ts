/** Of one message, in characters: the end of it. */
const MAX_THOUGHT = 8_192;
/** Messages; of older ones nothing is remembered. */
const MAX_MESSAGES = 64;

/**
 * What a model thought in a run that goes on, for whoever comes to watch it. In memory alone: nothing
 * may rest on what was only thought, so it is never recorded, and is gone when the run has ended.
 */
export class Thoughts {
  /** Of the message that is being made. */
  #now = '';
  readonly #before = new Map<bigint, string>();

  get now(): string {
    return this.#now;
  }

  think(text: string): void {
    this.#now = (this.#now + text).slice(-MAX_THOUGHT).toWellFormed();
  }

  /** The message that it led to is on record. */
  speak(sequence: bigint): void {
    if (this.#now !== '') this.#before.set(sequence, this.#now);
    this.#now = '';
    const [oldest] = this.#before.keys();
    if (oldest !== undefined && this.#before.size > MAX_MESSAGES) this.#before.delete(oldest);
  }

  /** It led to nothing. */
  drop(): void {
    this.#now = '';
  }

  /** Contract: empty when nothing was thought, or that is forgotten. */
  before(sequence: bigint): string {
    return this.#before.get(sequence) ?? '';
  }
}
