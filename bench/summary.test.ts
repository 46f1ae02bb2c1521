import { describe, expect, it } from 'vitest';
import { DURATION, RATE } from './harness.ts';
import { summarise } from './summary.ts';

describe('summarise', () => {
  it('calls the lowest time the best and a high one the 95th percentile', () => {
    const samples = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(summarise(samples, DURATION)).toEqual({ best: 1, median: 50.5, p95: 95 });
  });

  it('calls the highest rate the best and a low one the 95th percentile', () => {
    const samples = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(summarise(samples, RATE)).toEqual({ best: 100, median: 50.5, p95: 6 });
  });

  it('takes the middle sample of an odd number as the median', () => {
    expect(summarise([9, 1, 2], DURATION).median).toBe(2);
  });

  it('refuses to summarise nothing', () => {
    expect(() => summarise([], DURATION)).toThrow('at least one sample');
  });
});
