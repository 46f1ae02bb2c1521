import { describe, expect, it } from 'vitest';
import { editDistance, suggest } from './suggestion.ts';

const KEYS = ['journal.segment_bytes', 'journal.keep_days', 'transport.listen'];

describe('the distance between two names', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['', 'abc', 3],
    ['abc', 'ab', 1],
    ['abc', 'axc', 1],
    ['abc', 'acb', 1],
    ['listen', 'silent', 4],
  ])('from `%s` to `%s` is %i', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance);
  });
});

describe('a suggestion', () => {
  it.each([
    ['journal.segmnt_bytes', 'journal.segment_bytes'],
    ['journal.segment_byte', 'journal.segment_bytes'],
    ['jouranl.keep_days', 'journal.keep_days'],
    ['Transport.Listen', 'transport.listen'],
  ])('for `%s` is `%s`', (name, meant) => {
    expect(suggest(name, KEYS)).toBe(meant);
  });

  it('is not made for a name that is near to nothing', () => {
    expect(suggest('colour', KEYS)).toBeUndefined();
  });

  it('is not made for an absurdly long name', () => {
    expect(suggest('j'.repeat(100_000), KEYS)).toBeUndefined();
  });
});
