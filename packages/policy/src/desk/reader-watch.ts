import { PalyraError } from '@palyra/kernel';

export interface ReaderWatchParts {
  readonly limitMs: number;
  /** The reader's: aborted when they are gone. */
  readonly signal: AbortSignal;
}

/**
 * Whoever hands something over and waits until more is wanted cannot clean up meanwhile: this does, when
 * nobody comes back. Contract: `signal` is aborted when the reader is gone or has not read for too
 * long; what was to be released is disposed of then, or with the watch.
 */
export class ReaderWatch implements Disposable {
  readonly signal: AbortSignal;
  readonly #limitMs: number;
  readonly #late = new AbortController();
  readonly #released: Disposable;
  #waiting: NodeJS.Timeout | undefined;

  constructor(released: Disposable, { limitMs, signal }: ReaderWatchParts) {
    this.#limitMs = limitMs;
    this.#released = released;
    this.signal = AbortSignal.any([signal, this.#late.signal]);
    this.signal.addEventListener('abort', this.#release, { once: true });
    if (this.signal.aborted) this.#release();
  }

  /** Just before something is handed over. */
  handOver(): void {
    this.#waiting = setTimeout(() => this.#late.abort(this.#tooLate()), this.#limitMs).unref();
  }

  /** Just after it was taken. Contract: throws when that was too late. */
  taken(): void {
    clearTimeout(this.#waiting);
    this.signal.throwIfAborted();
  }

  [Symbol.dispose](): void {
    this.signal.removeEventListener('abort', this.#release);
    this.#release();
  }

  readonly #release = (): void => {
    clearTimeout(this.#waiting);
    this.#released[Symbol.dispose]();
  };

  #tooLate(): PalyraError {
    return new PalyraError('OVERLOADED', `nothing was read for ${this.#limitMs / 1000} s`, {
      help: 'read what comes as it comes, or ask again',
    });
  }
}
