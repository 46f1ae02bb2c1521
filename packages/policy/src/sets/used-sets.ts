import type { WrittenSet } from './kept-sets.ts';

/**
 * Tells of which set it is certain that no call was decided with it: only this process can have done so,
 * since it wrote its record for the first time, and it has not. Whoever still decides with the set that
 * was just replaced is given until the next one is replaced, too.
 */
export class UsedSets {
  readonly #used = new Set<string>();
  #current: WrittenSet | undefined;
  #before: WrittenSet | undefined;

  note(hash: string): void {
    this.#used.add(hash);
    // Nobody asks about others any more.
    if (this.#used.size > MAX_NOTED) this.#forgetOthers();
  }

  /** Of the one before the one in force. */
  unused(): WrittenSet | undefined {
    const set = this.#before;
    if (set === undefined || !set.isNew) return undefined;
    return this.#used.has(set.hash) ? undefined : set;
  }

  follow(next: WrittenSet): void {
    this.#before = this.#current;
    this.#current = next;
  }

  #forgetOthers(): void {
    const kept = [this.#before?.hash, this.#current?.hash].filter((hash) => hash !== undefined);
    for (const hash of this.#used) if (!kept.includes(hash)) this.#used.delete(hash);
  }
}

const MAX_NOTED = 8;
