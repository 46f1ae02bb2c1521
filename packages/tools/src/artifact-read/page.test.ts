import { describe, expect, it } from 'vitest';
import { pageLength } from './page.ts';

const lengthOf = (text: string, cut: number) => pageLength(Buffer.from(text).subarray(0, cut));

describe('a page', () => {
  it.each([
    ['at the end of a line in its second half', 'aaaa\nbbbb\ncc', 11, 10],
    ['anywhere when its lines are too long', 'a\nbbbbbbbbbbbbb', 12, 12],
    ['before a character of two bytes that is cut', 'aaaé', 4, 3],
    ['before one of three', 'aa日', 4, 2],
    ['before one of four', 'aa😀', 5, 2],
    ['after one that is whole', 'aa😀b', 6, 6],
  ])('ends %s', (_, text, cut, length) => {
    expect(lengthOf(text, cut)).toBe(length);
  });

  it('is never empty, whatever the bytes are', () => {
    for (const bytes of [[0x80], [0xf0], [0x80, 0x80, 0x80, 0x80, 0x80], [0xff, 0xff]]) {
      expect(pageLength(Uint8Array.from(bytes))).toBeGreaterThan(0);
    }
  });
});
