import type { Clock } from '@palyra/kernel';

export interface Rate {
  readonly perMinute: number;
  readonly burst: number;
}

interface Bucket {
  level: number;
  filledAtMs: number;
}

const MINUTE_MS = 60_000;
/** More than there can be tokens in force, so that a bucket is dropped only when its token ended. */
export const MAX_BUCKETS = 1024;

/** How much each token may still ask for. In memory: a restart fills every bucket. */
export class TokenBuckets {
  readonly #clock: Clock;
  /** INVARIANT: the one that was used longest ago is the first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one request; `false` when there is none left. */
  take(tokenId: string, rate: Rate): boolean {
    const nowMs = this.#clock.now().getTime();
    const bucket = refilled(this.#buckets.get(tokenId), rate, nowMs);
    const isAllowed = bucket.level >= 1;
    if (isAllowed) bucket.level -= 1;
    this.#keep(tokenId, bucket);
    return isAllowed;
  }

  #keep(tokenId: string, bucket: Bucket): void {
    this.#buckets.delete(tokenId);
    this.#buckets.set(tokenId, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_BUCKETS && oldest !== undefined) this.#buckets.delete(oldest);
  }
}

function refilled(bucket: Bucket | undefined, { perMinute, burst }: Rate, nowMs: number): Bucket {
  if (bucket === undefined) return { level: burst, filledAtMs: nowMs };
  // A clock that was set back gives nothing, and takes nothing away.
  const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs);
  const level = Math.min(burst, bucket.level + (elapsedMs * perMinute) / MINUTE_MS);
  return { level, filledAtMs: nowMs };
}
