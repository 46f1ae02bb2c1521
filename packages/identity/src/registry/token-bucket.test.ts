import type { Clock } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { MAX_BUCKETS, TokenBuckets } from './token-bucket.ts';

function openBuckets() {
  const time = { ms: 1_000_000 };
  const clock: Clock = { now: () => new Date(time.ms), sleep: () => Promise.resolve() };
  return { time, buckets: new TokenBuckets(clock) };
}

const RATE = { perMinute: 60, burst: 3 };

function takeAll(buckets: TokenBuckets, tokenId = 'a'): number {
  let taken = 0;
  while (buckets.take(tokenId, RATE)) taken += 1;
  return taken;
}

describe('a bucket', () => {
  it('holds its burst and no more', () => {
    const { buckets, time } = openBuckets();
    expect(takeAll(buckets)).toBe(3);
    time.ms += 3_600_000;
    expect(takeAll(buckets)).toBe(3);
  });

  it('refills by its rate, also when it is asked in between', () => {
    const { buckets, time } = openBuckets();
    takeAll(buckets);
    time.ms += 500;
    expect(buckets.take('a', RATE)).toBe(false);
    time.ms += 500;
    expect(takeAll(buckets)).toBe(1);
  });

  it('is that of one token', () => {
    const { buckets } = openBuckets();
    takeAll(buckets, 'a');
    expect(takeAll(buckets, 'b')).toBe(3);
  });

  it('gains nothing from a clock that is set back', () => {
    const { buckets, time } = openBuckets();
    takeAll(buckets);
    time.ms -= 600_000;
    expect(buckets.take('a', RATE)).toBe(false);
  });

  it('is empty for ever without a rate', () => {
    const { buckets } = openBuckets();
    expect(buckets.take('a', { perMinute: 0, burst: 0 })).toBe(false);
  });

  it('is one of a bounded number: the one that was used longest ago goes', () => {
    const { buckets } = openBuckets();
    takeAll(buckets, 'first');
    for (let count = 0; count < MAX_BUCKETS - 1; count += 1) buckets.take(`t${count}`, RATE);
    expect(buckets.take('first', RATE)).toBe(false);
    for (let count = 0; count < 10; count += 1) buckets.take(`u${count}`, RATE);
    expect(buckets.size).toBe(MAX_BUCKETS);
    expect(buckets.take('first', RATE)).toBe(false);
  });
});
