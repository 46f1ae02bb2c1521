import { PalyraError } from '@palyra/kernel';

export interface Room {
  readonly inside: number;
  readonly waiting: number;
}

/** So many at once, so many more that wait in the order they came, and nobody else. */
export class Turnstile {
  readonly #room: Room;
  readonly #queue: (() => void)[] = [];
  #inside = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  /** How many are in, and how many wait. */
  get taken(): Room {
    return { inside: this.#inside, waiting: this.#queue.length };
  }

  /** Contract: rejects with OVERLOADED when too many wait, and when the signal comes first. */
  async enter(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#inside < this.#room.inside) this.#inside += 1;
    else await this.#wait(signal);
    return { [Symbol.dispose]: () => this.#leave() };
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#queue.length >= this.#room.waiting) throw full(this.#room);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#queue.push(resolve);
    const give = () => {
      const place = this.#queue.indexOf(resolve);
      if (place < 0) return;
      this.#queue.splice(place, 1);
      reject(new PalyraError('CANCELLED', 'it was taken back while it waited'));
    };
    signal.addEventListener('abort', give, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', give);
    }
  }

  /** Whoever waits longest takes the place over: the number inside stays. */
  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#inside -= 1;
    else next();
  }
}

function full({ inside, waiting }: Room): PalyraError {
  return new PalyraError('OVERLOADED', `${inside} commands run, and ${waiting} more wait already`);
}
