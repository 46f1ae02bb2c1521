import { PalyraError } from '@palyra/kernel';

/** As many as one person has windows open, and no more. */
const MOST_IN_LINE = 16;

/**
 * One look at the past at a time for each person. They wait and are not refused: who is asked should
 * see the question in the terminal and in the console at once.
 */
export class PastLine {
  readonly #lines = new Map<string, Promise<void>[]>();

  /** Contract: OVERLOADED when too many wait. Dispose of the place for the next one to have it. */
  async wait(whose: string): Promise<Disposable> {
    const line = this.#lines.get(whose) ?? [];
    if (line.length >= MOST_IN_LINE) throw overloaded();
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = line.at(-1);
    line.push(promise);
    this.#lines.set(whose, line);
    await before;
    return {
      [Symbol.dispose]: () => {
        void line.shift();
        if (line.length === 0) this.#lines.delete(whose);
        resolve();
      },
    };
  }
}

function overloaded(): PalyraError {
  return new PalyraError('OVERLOADED', `you look at ${MOST_IN_LINE} questions already`, {
    help: 'try again when you have seen them',
  });
}
