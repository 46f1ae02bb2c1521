import { describe, expect, it } from 'vitest';
import { idAfter } from './id-after.ts';

describe('the id after another', () => {
  it.each([
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAW'],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAZ', '01ARZ3NDEKTSV4RRFFQ69G5FB0'],
    ['01ARZ3NDEKTSV4RRFFQ69G5FZZ', '01ARZ3NDEKTSV4RRFFQ69G5G00'],
    [`7${'Z'.repeat(25)}`, undefined],
  ])('of %s is %s', (id, after) => {
    expect(idAfter(id)).toBe(after);
  });
});
