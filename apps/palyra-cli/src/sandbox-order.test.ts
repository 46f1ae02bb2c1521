import { describe, expect, it } from 'vitest';
import { readTime } from './sandbox-order.ts';

describe('a time for a sandbox', () => {
  it.each([
    ['10ms', 10],
    ['30s', 30_000],
    ['2m', 120_000],
    ['24h', 86_400_000],
  ])('reads %s', (text, time) => {
    expect(readTime(text)).toBe(time);
  });

  it.each(['', '30', '0s', '9ms', '25h', '-1s', '1.5s', '1s ', '999999999s'])(
    'refuses `%s`',
    (text) => {
      expect(() => readTime(text)).toThrow('`--timeout` does not take');
    },
  );
});
