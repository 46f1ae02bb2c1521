import { describe, expect, it } from 'vitest';
import { meaningOf } from './keys.ts';
import type { Standing } from './standing.ts';

const open: Standing = {
  isPending: true,
  wanted: 1,
  yes: [],
  hasSaidYes: false,
  tooHigh: undefined,
  needsPasskey: false,
  mayLease: true,
};

describe('keys on a question', () => {
  it('mean what they mean in the terminal', () => {
    const meanings = ['y', 's', 'a', 'u', 'n', 'x', 'Y'].map((key) => meaningOf(key, open));
    expect(meanings).toEqual(['once', 'session', 'wider', 'until', 'deny', undefined, undefined]);
  });

  it('mean nothing once it is over', () => {
    expect(meaningOf('y', { ...open, isPending: false })).toBeUndefined();
    expect(meaningOf('n', { ...open, isPending: false })).toBeUndefined();
  });

  it('give no lease where several people decide, and no second yes', () => {
    expect(meaningOf('s', { ...open, wanted: 2, mayLease: false })).toBeUndefined();
    expect(meaningOf('y', { ...open, wanted: 2, mayLease: false })).toBe('once');
    expect(meaningOf('y', { ...open, hasSaidYes: true })).toBeUndefined();
    expect(meaningOf('n', { ...open, hasSaidYes: true })).toBe('deny');
  });
});
