import type { Clock } from '@palyra/kernel';

export interface ExchangeBounds {
  /** At once. */
  readonly count: number;
  readonly lifetimeMs: number;
}

interface Slot<Exchange> {
  readonly endsMs: number;
  /** Absent while the answer to the first message is being worked out. */
  readonly exchange?: Exchange;
}

/**
 * What is between the first message of a device and its second. In memory only: the keys in it are
 * nobody else's business, and a restart costs a device one try.
 */
export class Exchanges<Exchange> {
  readonly #clock: Clock;
  readonly #bounds: ExchangeBounds;
  /** INVARIANT: the oldest first. */
  readonly #slots = new Map<string, Slot<Exchange>>();

  constructor(clock: Clock, bounds: ExchangeBounds) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  /**
   * Takes a place before anything costly is done. When there is none, the oldest makes room: an honest
   * device answers within moments, so who fills the places and leaves keeps nobody out.
   */
  reserve(id: string): void {
    this.sweep();
    const [oldest] = this.#slots.keys();
    if (this.#slots.size >= this.#bounds.count && oldest !== undefined) this.#slots.delete(oldest);
    this.#slots.set(id, { endsMs: this.#clock.now().getTime() + this.#bounds.lifetimeMs });
  }

  keep(id: string, exchange: Exchange): void {
    const slot = this.#slots.get(id);
    if (slot !== undefined) this.#slots.set(id, { ...slot, exchange });
  }

  /** Contract: `undefined` unless it is there and in time. It is gone afterwards, whatever follows. */
  take(id: string): Exchange | undefined {
    this.sweep();
    const slot = this.#slots.get(id);
    this.#slots.delete(id);
    return slot?.exchange;
  }

  sweep(): void {
    const nowMs = this.#clock.now().getTime();
    for (const [id, { endsMs }] of this.#slots) if (endsMs <= nowMs) this.#slots.delete(id);
  }
}
