import { describe, expect, it } from 'vitest';
import { expectedEntries, scopeOf } from './verify-wish.ts';

const wish = { what: 'range', from: '', to: '', run: '' } as const;

describe('what is to be verified', () => {
  it('is everything, a range, whose end may be open, or a run', () => {
    expect(scopeOf({ ...wish, what: 'all' })).toEqual({});
    expect(scopeOf({ ...wish, from: '3', to: ' 9 ' })).toEqual({ from: 3n, to: 9n });
    expect(scopeOf({ ...wish, from: '3' })).toEqual({ from: 3n, to: 0n });
    const run = '01jz8q6y7d0m3w5k9rb2xn4tfc';
    expect(scopeOf({ ...wish, what: 'run', run })).toEqual({ run: run.toUpperCase() });
  });

  it('is refused in words where it is none', () => {
    expect(scopeOf(wish)).toBe('Name the number of the first entry.');
    expect(scopeOf({ ...wish, from: '0' })).toBe('Name the number of the first entry.');
    expect(scopeOf({ ...wish, from: '9', to: 'x' })).toBe('Name the number of the last entry.');
    expect(scopeOf({ ...wish, from: '9', to: '3' })).toBe('The last entry comes before the first.');
    expect(scopeOf({ ...wish, what: 'run' })).toMatch('26 letters');
  });

  it('tells how many entries that will be, as far as one knows', () => {
    expect(expectedEntries({}, 1_000n)).toBe(1_000);
    expect(expectedEntries({ from: 991n }, 1_000n)).toBe(10);
    expect(expectedEntries({ from: 2n, to: 5n }, 0n)).toBe(4);
    expect(expectedEntries({}, 0n)).toBeUndefined();
    expect(expectedEntries({ run: 'x' }, 5n)).toBeUndefined();
  });
});
