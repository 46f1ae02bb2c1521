import { describe, expect, it } from 'vitest';
import { withinLimit } from './time-limit.ts';

/** Goes on until it is told to end. */
function endless(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason));
  if (signal.aborted) reject(signal.reason);
  return promise;
}

describe('a limit of time', () => {
  it('ends what takes longer, with what to do about it', async () => {
    const signal = new AbortController().signal;
    await expect(withinLimit({ limitMs: 1, signal }, endless)).rejects.toMatchObject({
      code: 'OVERLOADED',
      help: expect.stringContaining('fewer rules'),
    });
  });

  it('ends it when nobody waits any more', async () => {
    const stop = new AbortController();
    const work = withinLimit({ limitMs: 60_000, signal: stop.signal }, endless);
    stop.abort(new Error('gone'));
    await expect(work).rejects.toThrow('gone');
  });

  it('leaves alone what fails by itself, or does not', async () => {
    const limits = { limitMs: 60_000, signal: new AbortController().signal };
    await expect(withinLimit(limits, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withinLimit(limits, async () => 7)).toBe(7);
  });
});
