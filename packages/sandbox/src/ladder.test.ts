import { expect, it } from 'vitest';
import { hasStrongerStep } from './ladder.ts';

const NOWHERE = '/usr/bin/bwrap-that-is-not-there';

it('a stronger step is there once bubblewrap is, and never above bubblewrap', () => {
  expect(hasStrongerStep('landlock')).toBe(true);
  expect(hasStrongerStep('landlock', NOWHERE)).toBe(false);
  expect(hasStrongerStep('bubblewrap')).toBe(false);
});
