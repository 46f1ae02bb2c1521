import { describe, expect, it } from 'vitest';
import { cageWords } from './cage-words.ts';

describe('what a program may do in its cage', () => {
  it('is all that its walls leave open, also where the call names less', () => {
    expect(cageWords('C', 'without network')).toBe(
      'it may read and write anywhere in the workspace but for protected names, without network',
    );
  });

  it.each(['B', ''])('is whatever its user may without walls: tier `%s`', (tier) => {
    expect(cageWords(tier, 'without network')).toBe(
      'without walls: it may read and write whatever its user may, and reach any host',
    );
  });
});
