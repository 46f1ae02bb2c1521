import { DecisionKind } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { DecisionCache, MAX_CACHED_CHARACTERS, MAX_CACHED_DECISIONS } from './decision-cache.ts';

const SETTLED = {
  kind: DecisionKind.ALLOW,
  rules: [],
  gates: [],
  errors: [],
  isUnattended: false,
};

it('forgets what was used longest ago', () => {
  const cache = new DecisionCache();
  for (let key = 0; key < MAX_CACHED_DECISIONS; key += 1) cache.add(`${key}`, SETTLED);
  cache.get('0');
  cache.add('one more', SETTLED);
  expect(cache.size).toBe(MAX_CACHED_DECISIONS);
  expect(cache.get('0')).toBe(SETTLED);
  expect(cache.get('1')).toBeUndefined();
});

it('never holds more text than its bound', () => {
  const cache = new DecisionCache();
  const quarter = MAX_CACHED_CHARACTERS / 4;
  for (const letter of ['a', 'b', 'c', 'd', 'e']) cache.add(letter.repeat(quarter), SETTLED);
  expect(cache.size).toBe(4);
  expect(cache.get('a'.repeat(quarter))).toBeUndefined();
  cache.add('f'.repeat(MAX_CACHED_CHARACTERS + 1), SETTLED);
  expect(cache.size).toBe(0);
});
