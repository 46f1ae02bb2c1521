import { expect, it } from 'vitest';
import { dearest, usageEvent } from './price.ts';

const COUNTS = { inputTokens: 1000, outputTokens: 100, cachedTokens: 600, cacheWriteTokens: 300 };

it('usage has a cost in millionths of a dollar when there are prices', () => {
  const prices = { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 };
  // 100 × 3 + 600 × 0.3 + 300 × 3.75 + 100 × 15
  expect(usageEvent(COUNTS, prices).costMicroUsd).toBe(3105);
});

it('a part of a millionth is rounded up', () => {
  const prices = { input: 0.001, output: 0, cached: 0, cacheWrite: 0 };
  expect(usageEvent(COUNTS, prices).costMicroUsd).toBe(1);
});

it('usage has no cost without prices', () => {
  expect(usageEvent(COUNTS, undefined)).toEqual({
    kind: 'usage',
    inputTokens: 1000,
    outputTokens: 100,
    cachedTokens: 600,
  });
});

it('tokens that nobody told of cost as much as with the dearest model that may have answered', () => {
  const tokens = { inputTokens: 1000, outputTokens: 100 };
  const dear = { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 };
  const cheap = { input: 1, output: 2, cached: 0, cacheWrite: 0 };
  expect(dearest(tokens, [cheap, undefined, dear])).toBe(4500);
  expect(dearest(tokens, [undefined])).toBeUndefined();
});

it('a server that counts more cached than read costs nothing negative', () => {
  const odd = { inputTokens: 1, outputTokens: 0, cachedTokens: 5, cacheWriteTokens: 0 };
  expect(usageEvent(odd, { input: 3, output: 1, cached: 0, cacheWrite: 0 }).costMicroUsd).toBe(0);
});
