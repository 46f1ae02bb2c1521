import type { RunId } from '@palyra/kernel';

/** What must not happen to one run at the same moment happens in the order in which it came. */
export class OneByOne {
  readonly #last = new Map<RunId, Promise<void>>();

  /** Contract: its turn is taken before anything is awaited; whatever fails lets the next one on. */
  async of<Result>(runId: RunId, act: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(runId);
    const { promise: own, resolve } = Promise.withResolvers<void>();
    this.#last.set(runId, own);
    try {
      await before;
      return await act();
    } finally {
      resolve();
      if (this.#last.get(runId) === own) this.#last.delete(runId);
    }
  }
}
