import { describe, expect, it } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

const wanted = new AbortController().signal;

describe('one at a time', () => {
  it('begins nothing before the one before has ended, well or not', async () => {
    const inTurn = oneAtATime();
    const told: string[] = [];
    const first = Promise.withResolvers<void>();
    const one = inTurn(async () => {
      told.push('one begins');
      await first.promise;
      throw new Error('no');
    }, wanted);
    const two = inTurn(async () => void told.push('two begins'), wanted);
    await Promise.resolve();
    expect(told).toEqual(['one begins']);
    first.resolve();
    await expect(one).rejects.toThrow('no');
    await two;
    expect(told).toEqual(['one begins', 'two begins']);
  });

  it('leaves out what is no longer wanted', async () => {
    const inTurn = oneAtATime();
    const gone = new AbortController();
    const first = Promise.withResolvers<void>();
    const one = inTurn(() => first.promise, wanted);
    const two = inTurn(() => Promise.reject(new Error('it was done')), gone.signal);
    gone.abort(new Error('gone'));
    first.resolve();
    await one;
    await expect(two).rejects.toThrow('gone');
  });
});
