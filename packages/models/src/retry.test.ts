import { describe, expect, it } from 'vitest';
import { type FailureReason, ModelFailure } from './failure.ts';
import { waitBeforeRetry, withRetries } from './retry.ts';

const LIMITS = { attempts: 4, firstWaitMs: 1000, maxWaitMs: 3000, totalWaitMs: 10_000 };

function failure(reason: FailureReason, retryAfterMs?: number): ModelFailure {
  return new ModelFailure(reason, 'it failed', retryAfterMs === undefined ? {} : { retryAfterMs });
}

describe('the wait before another attempt', () => {
  const overloaded = failure('overloaded');

  it('doubles up to its limit, and chance takes up to half of it away', () => {
    const wait = (attempts: number, chance: number) =>
      waitBeforeRetry({ failure: overloaded, attempts, waitedMs: 0 }, LIMITS, chance);
    expect([1, 2, 3].map((attempts) => wait(attempts, 0))).toEqual([500, 1000, 1500]);
    expect([1, 2, 3].map((attempts) => wait(attempts, 0.999_999))).toEqual([1000, 2000, 3000]);
  });

  it('is never shorter than the provider asks for', () => {
    const asked = { failure: failure('rate-limited', 5000), attempts: 1, waitedMs: 0 };
    expect(waitBeforeRetry(asked, LIMITS, 0)).toBe(5125);
    expect(waitBeforeRetry(asked, LIMITS, 0.5)).toBe(5188);
  });

  it.each<[string, FailureReason, number, number]>([
    ['after the last attempt', 'overloaded', 4, 0],
    ['when too much time was spent', 'overloaded', 1, 9501],
    ['for what does not pass', 'bad-key', 1, 0],
    ['for a refusal', 'refused', 1, 0],
    ['when the provider is paused', 'paused', 1, 0],
  ])('is none %s', (_name, reason, attempts, waitedMs) => {
    const failed = { failure: failure(reason), attempts, waitedMs };
    expect(waitBeforeRetry(failed, LIMITS, 0)).toBeUndefined();
  });

  it('is none when the provider asks for too much of it', () => {
    const asked = { failure: failure('rate-limited', 10_001), attempts: 1, waitedMs: 0 };
    expect(waitBeforeRetry(asked, LIMITS, 0)).toBeUndefined();
  });
});

describe('attempts', () => {
  const never = new AbortController().signal;
  const parts = {
    clock: { now: () => new Date(0), sleep: () => Promise.resolve() },
    random: () => 0,
    limits: LIMITS,
    onRetry: () => undefined,
  };

  it('end with the first fault that is no failure of the model', async () => {
    let asked = 0;
    const fault = new Error('a mistake of ours');
    const replies = withRetries(
      () => {
        asked += 1;
        throw fault;
      },
      parts,
      never,
    );
    await expect(replies.next()).rejects.toBe(fault);
    expect(asked).toBe(1);
  });

  it('end while they wait when they are cancelled', async () => {
    const reason = new Error('taken back');
    const clock = { ...parts.clock, sleep: () => Promise.reject(reason) };
    const replies = withRetries(
      () => {
        throw failure('overloaded');
      },
      { ...parts, clock },
      never,
    );
    await expect(replies.next()).rejects.toBe(reason);
  });
});
