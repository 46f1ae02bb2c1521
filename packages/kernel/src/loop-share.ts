/** So long may what came in a bunch keep the event loop to itself. */
const SLICE_MS = 4;

const NOW = Promise.resolve();

/** Node's own. A browser loads this file too, and takes no turns. */
declare const setImmediate: (run: () => void) => void;
declare const process: { nextTick(run: () => void): void };

/**
 * What comes in a bunch, such as the words of two hundred models at the same moment, goes on in slices,
 * and whoever else waits for the event loop has a turn between two of them. In the order in which they
 * came; who comes alone does not wait.
 *
 * Bounded by those who ask: each waits for one turn at a time.
 */
export class LoopShare {
  readonly #waiting: (() => void)[] = [];
  /** Of this slice; absent while nobody has asked for anything. */
  #endsAt: number | undefined;
  /** Somebody goes on right now. */
  #isGiven = false;

  /** Resolves when the caller may go on with something short. */
  turn(): Promise<void> {
    if (this.#endsAt === undefined) this.#begin();
    if (this.#mayGive()) {
      this.#give();
      return NOW;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    return promise;
  }

  #begin(): void {
    this.#endsAt = performance.now() + SLICE_MS;
    setImmediate(() => this.#end());
  }

  #end(): void {
    this.#endsAt = undefined;
    if (this.#waiting.length === 0) return;
    this.#begin();
    this.#goOn();
  }

  #mayGive(): boolean {
    return !this.#isGiven && performance.now() < (this.#endsAt ?? 0);
  }

  /** How long it took is known when all is done that it set off: ticks come when no promise can go on. */
  #give(): void {
    this.#isGiven = true;
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#isGiven = false;
        this.#goOn();
      }),
    );
  }

  #goOn(): void {
    if (this.#waiting.length === 0 || !this.#mayGive()) return;
    this.#give();
    this.#waiting.shift()?.();
  }
}

/** A process has one event loop, and all who share it share this. */
export const loopShare = new LoopShare();
