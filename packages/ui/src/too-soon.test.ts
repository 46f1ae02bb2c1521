import { expect, it } from 'vitest';
import { isTooSoon } from './too-soon.ts';

it('nobody can have read what came up just now', () => {
  expect(isTooSoon(1_299, 1_000)).toBe(true);
  expect(isTooSoon(1_300, 1_000)).toBe(false);
});

it('what was pressed before it came up was meant for something else', () => {
  expect(isTooSoon(900, 1_000)).toBe(true);
});
