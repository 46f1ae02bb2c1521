import type { Clock } from '@palyra/kernel';

export interface StopwatchParts {
  readonly clock: Clock;
  readonly spentMs: number;
  /** When it is over, until `until` says otherwise. */
  readonly limitMs: number;
  /** Contract: these two must not throw. */
  readonly onOver: () => void;
  /** Called when nothing is under way but waiting. */
  readonly onRest?: () => void;
}

/** So long that the clock has surely moved when a timer comes a moment early. */
const LEAST_SLEEP_MS = 5;

/**
 * How long a run works. It stands still while every open call waits for a person, or for a call that
 * does: nobody should come back to a run that ended because they were at lunch.
 */
export class Stopwatch implements Disposable {
  readonly #parts: StopwatchParts;
  #limitMs: number;
  #spentMs: number;
  /** Absent while it stands still. */
  #since: number | undefined;
  #alarm = new AbortController();
  #calls = 0;
  #waiting = 0;

  constructor(parts: StopwatchParts) {
    this.#parts = parts;
    this.#limitMs = parts.limitMs;
    this.#spentMs = parts.spentMs;
  }

  get wallMs(): number {
    if (this.#since === undefined) return this.#spentMs;
    return this.#spentMs + Math.max(0, this.#now() - this.#since);
  }

  /** Every open call waits for a person, or for a call that does. */
  get isResting(): boolean {
    return this.#waiting > 0 && this.#waiting === this.#calls;
  }

  start(): void {
    this.#since = this.#now();
    this.#arm();
  }

  /** Another limit from now on. */
  until(limitMs: number): void {
    if (limitMs === this.#limitMs) return;
    this.#limitMs = limitMs;
    if (this.#since === undefined) return;
    this.#stop();
    this.start();
  }

  async call<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#change(() => (this.#calls += 1));
    try {
      return await task();
    } finally {
      this.#change(() => (this.#calls -= 1));
    }
  }

  /** For a person, or for a call that does. Contract: within a call. */
  async wait<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#change(() => (this.#waiting += 1));
    try {
      return await task();
    } finally {
      this.#change(() => (this.#waiting -= 1));
    }
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  #change(count: () => void): void {
    const wasRunning = this.#since !== undefined;
    const wasResting = this.isResting;
    count();
    if (this.isResting === wasResting) return;
    if (wasRunning) this.#stop();
    else this.start();
    if (!wasResting) this.#parts.onRest?.();
  }

  #stop(): void {
    this.#spentMs = this.wallMs;
    this.#since = undefined;
    // With a reason of ours: the platform's own is an error with a trace, made for nobody.
    this.#alarm.abort('stopped');
  }

  #arm(): void {
    const { clock } = this.#parts;
    this.#alarm = new AbortController();
    const { signal } = this.#alarm;
    const armedAt = this.#now();
    const leftMs = Math.max(LEAST_SLEEP_MS, this.#limitMs - this.wallMs);
    clock.sleep(leftMs, signal).then(
      () => this.#ring(armedAt),
      // It was stopped.
      () => undefined,
    );
  }

  #ring(armedAt: number): void {
    if (this.wallMs >= this.#limitMs) this.#parts.onOver();
    // A timer may come a moment early. A clock that does not move would bring it for ever.
    else if (this.#now() > armedAt) this.#arm();
  }

  #now(): number {
    return this.#parts.clock.now().getTime();
  }
}
