import { type Clock, PalyraError } from '@palyra/kernel';

const WINDOW_MS = 60 * 60_000;
const MAX_RENEWALS = 8;
/** More than there are devices; beyond it the one that renewed longest ago is forgotten. */
const MAX_REMEMBERED = 1_024;

/** How often a device may renew: each time costs a signature and an entry that is kept for good. */
export class RenewalLimits {
  readonly #clock: Clock;
  /** INVARIANT: by device, the one that renewed longest ago first. */
  readonly #times = new Map<string, readonly number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Contract: throws RATE_LIMITED and takes nothing when there is none left. */
  take(deviceId: string): void {
    const nowMs = this.#clock.now().getTime();
    // One that lies ahead is older than a step of the clock; it must not lock anybody out for good.
    const recent = (this.#times.get(deviceId) ?? []).filter(
      (atMs) => atMs > nowMs - WINDOW_MS && atMs <= nowMs,
    );
    if (recent.length >= MAX_RENEWALS) throw tooOften();
    this.#times.delete(deviceId);
    this.#times.set(deviceId, [...recent, nowMs]);
    const [oldest] = this.#times.keys();
    if (this.#times.size > MAX_REMEMBERED && oldest !== undefined) this.#times.delete(oldest);
  }
}

function tooOften(): PalyraError {
  return new PalyraError('RATE_LIMITED', `a device renews at most ${MAX_RENEWALS} times an hour`);
}
