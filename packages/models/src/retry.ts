import type { Clock } from '@palyra/kernel';
import { ModelFailure, isPassing } from './failure.ts';

export interface RetryLimits {
  /** The first one counts. */
  readonly attempts: number;
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** All waits together; a provider that wants a longer one gets no further attempt. */
  readonly totalWaitMs: number;
}

export interface Failed {
  readonly failure: ModelFailure;
  /** How many attempts there were. */
  readonly attempts: number;
  readonly waitedMs: number;
}

/**
 * How long to wait before the next attempt; `undefined` when there is none.
 * Pure: `chance` is what makes clients that failed together come back apart, from 0 to below 1.
 */
export function waitBeforeRetry(
  { failure, attempts, waitedMs }: Failed,
  limits: RetryLimits,
  chance: number,
): number | undefined {
  if (!isPassing(failure.reason) || attempts >= limits.attempts) return undefined;
  const ceiling = Math.min(limits.maxWaitMs, limits.firstWaitMs * 2 ** (attempts - 1));
  const jittered = ceiling / 2 + (ceiling / 2) * chance;
  // Never earlier than asked for; a little later, for the same reason.
  const asked = failure.retryAfterMs;
  const waitMs = Math.ceil(asked === undefined ? jittered : asked + jittered / 4);
  return waitedMs + waitMs <= limits.totalWaitMs ? waitMs : undefined;
}

export interface RetryParts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: RetryLimits;
  readonly onRetry: (failure: ModelFailure, waitMs: number) => void;
}

/**
 * Contract: tries again only while nothing has been said yet; whoever listens never hears a
 * beginning twice.
 */
export async function* withRetries<Event>(
  attempt: () => AsyncIterable<Event>,
  { clock, random, limits, onRetry }: RetryParts,
  signal: AbortSignal,
): AsyncGenerator<Event, void, undefined> {
  let waitedMs = 0;
  for (let attempts = 1; ; attempts += 1) {
    let hasSpoken = false;
    try {
      for await (const event of attempt()) {
        hasSpoken = true;
        yield event;
      }
      return;
    } catch (error) {
      if (hasSpoken || !(error instanceof ModelFailure)) throw error;
      const waitMs = waitBeforeRetry({ failure: error, attempts, waitedMs }, limits, random());
      if (waitMs === undefined) throw error;
      onRetry(error, waitMs);
      await clock.sleep(waitMs, signal);
      waitedMs += waitMs;
    }
  }
}
