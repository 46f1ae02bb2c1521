import type { Clock } from '@palyra/kernel';

/** Moves only when it is told to; whoever sleeps is woken then. */
export class HandClock implements Clock {
  #now = 0;
  readonly #sleepers = new Set<() => void>();
  now() {
    return new Date(this.#now);
  }
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const until = this.#now + ms;
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (this.#now >= until) resolve();
      };
      this.#sleepers.add(look);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      look();
    });
  }
  async advance(ms: number) {
    this.#now += ms;
    for (const look of this.#sleepers) look();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
