import { describe, expect, it } from 'vitest';
import { type FailureReason, ModelFailure } from './failure.ts';
import type { SaidEvent } from './model-port.ts';
import { waitBeforeRetry, withRetries } from './retry.ts';

const LIMITS = {
  attempts: 4,
  firstWaitMs: 1000,
  maxWaitMs: 3000,
  totalWaitMs: 10_000,
  whenPaused: 'wait',
} as const;

function failure(reason: FailureReason, retryAfterMs?: number): ModelFailure {
  return new ModelFailure(reason, 'it failed', retryAfterMs === undefined ? {} : { retryAfterMs });
}

describe('the wait before another attempt', () => {
  const overloaded = failure('overloaded');

  it('doubles up to its limit, and chance takes up to half of it away', () => {
    const wait = (attempts: number, chance: number) =>
      waitBeforeRetry(
        { failure: overloaded, attempts, waits: attempts - 1, waitedMs: 0 },
        LIMITS,
        chance,
      );
    expect([1, 2, 3].map((attempts) => wait(attempts, 0))).toEqual([500, 1000, 1500]);
    expect([1, 2, 3].map((attempts) => wait(attempts, 0.999_999))).toEqual([1000, 2000, 3000]);
  });

  it('is never shorter than the provider asks for', () => {
    const asked = { failure: failure('rate-limited', 5000), attempts: 1, waits: 0, waitedMs: 0 };
    expect(waitBeforeRetry(asked, LIMITS, 0)).toBe(5125);
    expect(waitBeforeRetry(asked, LIMITS, 0.5)).toBe(5188);
  });

  it.each<[string, FailureReason, number, number]>([
    ['after the last attempt', 'overloaded', 4, 0],
    ['when too much time was spent', 'overloaded', 1, 9501],
    ['for what does not pass', 'bad-key', 1, 0],
    ['for a refusal', 'refused', 1, 0],
  ])('is none %s', (_name, reason, attempts, waitedMs) => {
    const failed = { failure: failure(reason), attempts, waits: 0, waitedMs };
    expect(waitBeforeRetry(failed, LIMITS, 0)).toBeUndefined();
  });

  it('is none when the provider asks for too much of it', () => {
    const asked = { failure: failure('rate-limited', 10_001), attempts: 1, waits: 0, waitedMs: 0 };
    expect(waitBeforeRetry(asked, LIMITS, 0)).toBeUndefined();
  });
});

describe('a provider that says how long it wants to be left alone', () => {
  const asked = (retryAfterMs: number) => {
    const failed = { failure: failure('rate-limited', retryAfterMs), attempts: 1 };
    return waitBeforeRetry(
      { ...failed, waits: 0, waitedMs: 0 },
      { ...LIMITS, whenPaused: 'give-up' },
      0,
    );
  };

  it('is left to whoever has no other to ask, unless that is short', () => {
    expect(asked(2000)).toBe(2125);
    expect(asked(2001)).toBeUndefined();
  });
});

describe('a provider that was heard to want that by somebody else', () => {
  const asked = (retryAfterMs: number, whenPaused: 'wait' | 'give-up') => {
    const failed = { failure: failure('left-alone', retryAfterMs), attempts: 0 };
    return waitBeforeRetry({ ...failed, waits: 0, waitedMs: 0 }, { ...LIMITS, whenPaused }, 0);
  };

  it('is treated as if it had said so again', () => {
    expect(asked(8000, 'wait')).toBe(8125);
    expect(asked(10_001, 'wait')).toBeUndefined();
    expect(asked(2000, 'give-up')).toBe(2125);
    expect(asked(2001, 'give-up')).toBeUndefined();
  });
});

describe('a provider that is paused', () => {
  const asked = { failure: failure('paused', 8000), attempts: 0, waits: 0, waitedMs: 0 };

  it('is waited for by whoever has no other to ask, as far as patience goes', () => {
    expect(waitBeforeRetry(asked, LIMITS, 0)).toBe(8125);
    expect(waitBeforeRetry({ ...asked, waitedMs: 1876 }, LIMITS, 0)).toBeUndefined();
  });

  it('is not waited for where there is another', () => {
    expect(waitBeforeRetry(asked, { ...LIMITS, whenPaused: 'give-up' }, 0)).toBeUndefined();
  });
});

describe('attempts', () => {
  const never = new AbortController().signal;
  const parts = {
    model: 'm',
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
    await replies.next();
    await expect(replies.next()).rejects.toBe(reason);
  });

  it('say that what was said counts for nothing, and why', async () => {
    const replies = withRetries(saying({ kind: 'text', text: 'half' }), parts, never);
    const heard: unknown[] = [];
    await expect(
      (async () => {
        for await (const event of replies) heard.push(event);
      })(),
    ).rejects.toMatchObject({ reason: 'broken-stream' });
    const half = { kind: 'text', text: 'half' };
    const again = (waitMs: number) => ({
      kind: 'asked-again',
      model: 'm',
      waitMs,
      why: 'it failed',
    });
    expect(heard).toEqual([half, again(500), half, again(1000), half, again(1500), half]);
  });

  it('end once a tool call was said, whatever comes after it', async () => {
    const call = { kind: 'tool-call', tool: 'fs.write', argumentsJson: '{}' } as const;
    const replies = withRetries(saying(call), parts, never);
    expect(await replies.next()).toEqual({ done: false, value: call });
    await expect(replies.next()).rejects.toMatchObject({ reason: 'broken-stream' });
  });

  it('are not used up by waiting for a provider that is paused', async () => {
    let pauses = 3;
    const replies = withRetries(
      () => {
        throw failure(pauses-- > 0 ? 'paused' : 'overloaded');
      },
      { ...parts, limits: { ...LIMITS, attempts: 1 } },
      never,
    );
    for (let wait = 0; wait < 3; wait += 1) {
      expect(await replies.next()).toMatchObject({ value: { kind: 'asked-again' } });
    }
    await expect(replies.next()).rejects.toMatchObject({ reason: 'overloaded' });
  });
});

function saying(event: SaidEvent): () => AsyncGenerator<SaidEvent, void, undefined> {
  return async function* () {
    yield event;
    throw failure('broken-stream');
  };
}
