import { PalyraError } from '@palyra/kernel';

/** Lets a few in at a time, in the order in which they came. */
export class Gate {
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor({ width, mostWaiting }: { readonly width: number; readonly mostWaiting: number }) {
    this.#free = width;
    this.#mostWaiting = mostWaiting;
  }

  /** Contract: `undefined` for who would have to wait; otherwise in until disposed of, once. */
  tryEnter(): Disposable | undefined {
    if (this.#free === 0) return undefined;
    this.#free -= 1;
    return this.#turn();
  }

  /** Contract: rejects with SANDBOX_UNAVAILABLE when too many wait already. */
  async enter(): Promise<Disposable> {
    const turn = this.tryEnter();
    if (turn !== undefined) return turn;
    if (this.#waiting.length >= this.#mostWaiting) throw tooMany();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.#turn();
  }

  #turn(): Disposable {
    return {
      [Symbol.dispose]: () => {
        // Handed on directly: nobody who comes now gets in before who has waited.
        const next = this.#waiting.shift();
        if (next === undefined) this.#free += 1;
        else next();
      },
    };
  }
}

function tooMany(): PalyraError {
  return new PalyraError('SANDBOX_UNAVAILABLE', 'too many sandboxes are being made at once', {
    help: 'run fewer commands at the same time',
  });
}
