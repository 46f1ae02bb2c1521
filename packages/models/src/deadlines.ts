import { ModelFailure } from './failure.ts';

export interface Deadlines {
  /** Name, connection and TLS. */
  readonly connectMs: number;
  /** From there to the first byte of the answer: a model may think before it speaks. */
  readonly firstByteMs: number;
  /** Between two lines. A byte now and then does not count, or a server could hold us for ever. */
  readonly idleMs: number;
  /** All of it. */
  readonly totalMs: number;
}

/**
 * Ends a request that takes too long. Only waiting for the other side is counted as idle: whoever
 * reads slowly here does not make the provider late.
 */
export class DeadlineWatch implements Disposable {
  readonly #deadlines: Deadlines;
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  #stage: NodeJS.Timeout | undefined;
  #idleLeftMs: number;

  constructor(deadlines: Deadlines) {
    this.#deadlines = deadlines;
    this.#idleLeftMs = deadlines.idleMs;
    // Asked again it would take as long.
    this.#total = this.#timer(
      'too-slow',
      deadlines.totalMs,
      'the answer of the model was not complete',
    );
  }

  /** Aborted with a ModelFailure when time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  connecting(): void {
    this.#enter(this.#deadlines.connectMs, 'the provider could not be connected to');
  }

  waiting(): void {
    this.#enter(this.#deadlines.firstByteMs, 'the provider did not begin to answer');
  }

  /** Waits for the next bytes of the answer. */
  async reading<Piece>(next: Promise<Piece>, hasLine: (piece: Piece) => boolean): Promise<Piece> {
    const since = performance.now();
    this.#enter(this.#idleLeftMs, 'the model fell silent in the middle of its answer');
    try {
      const piece = await next;
      const waitedMs = performance.now() - since;
      this.#idleLeftMs = hasLine(piece)
        ? this.#deadlines.idleMs
        : Math.max(1, this.#idleLeftMs - waitedMs);
      return piece;
    } finally {
      clearTimeout(this.#stage);
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#stage);
    clearTimeout(this.#total);
  }

  #enter(ms: number, what: string): void {
    clearTimeout(this.#stage);
    this.#stage = this.#timer('timed-out', ms, what);
  }

  #timer(reason: 'timed-out' | 'too-slow', ms: number, what: string): NodeJS.Timeout {
    return setTimeout(() => {
      this.#controller.abort(new ModelFailure(reason, `${what} within ${Math.round(ms)} ms`));
    }, ms);
  }
}
