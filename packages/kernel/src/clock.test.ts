import { describe, expect, it } from 'vitest';
import { MAX_SLEEP_MS, systemClock } from './clock.ts';

const never = new AbortController().signal;

describe('the system clock', () => {
  it('tells the time of the platform', () => {
    const before = Date.now();
    const now = systemClock().now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('ends a sleep', async () => {
    await expect(systemClock().sleep(1, never)).resolves.toBeUndefined();
  });

  it('does not start to sleep when it is aborted already', async () => {
    const reason = new Error('taken back');
    await expect(systemClock().sleep(MAX_SLEEP_MS, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('wakes up with the reason when it is aborted in its sleep', async () => {
    const controller = new AbortController();
    const reason = new Error('taken back');
    const sleep = systemClock().sleep(MAX_SLEEP_MS, controller.signal);
    controller.abort(reason);
    await expect(sleep).rejects.toBe(reason);
  });

  it.each([MAX_SLEEP_MS + 1, Number.POSITIVE_INFINITY, Number.NaN])(
    'refuses to sleep for %d ms, for which a timer would fire at once',
    async (ms) => {
      await expect(systemClock().sleep(ms, never)).rejects.toThrow(RangeError);
    },
  );
});
