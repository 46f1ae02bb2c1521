import type { Clock } from '@palyra/kernel';
import { ModelFailure, isPassing, isUnasked } from './failure.ts';
import type { ModelEvent, NothingUsed, SaidEvent } from './model-port.ts';

export interface RetryLimits {
  /** The first one counts. */
  readonly attempts: number;
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** All waits together; a provider that wants a longer one gets no further attempt. */
  readonly totalWaitMs: number;
  /** What to do about a provider that wants to be left alone for a while; whoever has another asks that one. */
  readonly whenPaused: 'wait' | 'give-up';
}

export interface Failed {
  readonly failure: ModelFailure;
  /** How often something was sent. */
  readonly attempts: number;
  /** How often there was a wait. */
  readonly waits: number;
  readonly waitedMs: number;
}

/**
 * How long to wait before the next attempt; `undefined` when there is none.
 * Pure: `chance` is what makes clients that failed together come back apart, from 0 to below 1.
 */
export function waitBeforeRetry(
  { failure, attempts, waits, waitedMs }: Failed,
  limits: RetryLimits,
  chance: number,
): number | undefined {
  if (!mayPass(failure) || attempts >= limits.attempts) return undefined;
  if (limits.whenPaused === 'give-up' && isPaused(failure)) return undefined;
  const ceiling = Math.min(limits.maxWaitMs, limits.firstWaitMs * 2 ** waits);
  const jittered = ceiling / 2 + (ceiling / 2) * chance;
  // Never earlier than asked for; a little later, for the same reason.
  const asked = failure.retryAfterMs;
  const waitMs = Math.ceil(asked === undefined ? jittered : asked + jittered / 4);
  return waitedMs + waitMs <= limits.totalWaitMs ? waitMs : undefined;
}

function mayPass({ reason }: ModelFailure): boolean {
  return isUnasked(reason) || isPassing(reason);
}

/** Shorter than this nobody turns away: the next answer comes from the model that was asked for. */
const SHORT_WAIT_MS = 2_000;

function isPaused({ reason, retryAfterMs = 0 }: ModelFailure): boolean {
  return reason === 'paused' || retryAfterMs > SHORT_WAIT_MS;
}

export interface RetryParts {
  /** The name of the one that is asked. */
  readonly model: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: RetryLimits;
  readonly onRetry: (failure: ModelFailure, waitMs: number) => void;
}

/** Contract: whoever listens is told when a beginning is void. After a tool call nothing is tried again. */
export async function* withRetries(
  attempt: () => AsyncIterable<SaidEvent | NothingUsed>,
  { model, clock, random, limits, onRetry }: RetryParts,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  let attempts = 0;
  let waitedMs = 0;
  for (let waits = 0; ; waits += 1) {
    let hasCalled = false;
    try {
      for await (const event of attempt()) {
        hasCalled ||= event.kind === 'tool-call';
        yield event;
      }
      return;
    } catch (error) {
      if (hasCalled || !(error instanceof ModelFailure)) throw error;
      if (!isUnasked(error.reason)) attempts += 1;
      const failed = { failure: error, attempts, waits, waitedMs };
      const waitMs = waitBeforeRetry(failed, limits, random());
      if (waitMs === undefined) throw error;
      onRetry(error, waitMs);
      yield { kind: 'asked-again', model, waitMs, why: error.message };
      await clock.sleep(waitMs, signal);
      waitedMs += waitMs;
    }
  }
}
