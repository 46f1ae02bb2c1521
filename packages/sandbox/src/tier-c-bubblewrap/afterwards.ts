/** Work that no answer has to wait for, and that is still not lost sight of. */
export class Afterwards {
  readonly #going = new Set<Promise<unknown>>();

  /** Contract: `work` never rejects. */
  add(work: Promise<unknown>): void {
    this.#going.add(work);
    void work.finally(() => this.#going.delete(work));
  }

  async settled(): Promise<void> {
    while (this.#going.size > 0) await Promise.all(this.#going);
  }
}
