import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { optionalId, requireId, toCount, toExcerpt, toSequence } from './wire-words.ts';

const ID = '01JZ8Q6Y7D0M3W5K9RB2XN4TFC';
const invalid = (act: () => unknown) => {
  expect(act).toThrow(PalyraError);
  expect(act).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
};

describe('words from the wire', () => {
  it('become an id only when they are one', () => {
    expect(requireId(ID, 'run_id')).toBe(ID);
    expect(() => requireId('last', 'before_run_id')).toThrow('`last` is not the id of any run');
    for (const text of ['', ID.toLowerCase(), `${ID}0`, `${ID}\n`, '../../etc/passwd']) {
      invalid(() => requireId(text, 'run_id'));
    }
  });

  it('may leave an optional id out by saying nothing', () => {
    expect(optionalId('', 'session_id')).toBeUndefined();
    expect(optionalId(ID, 'session_id')).toBe(ID);
    invalid(() => optionalId('x', 'session_id'));
  });

  it('become a sequence only as far as numbers are exact', () => {
    expect(toSequence(9007199254740991n, 'after_sequence')).toBe(9007199254740991);
    invalid(() => toSequence(9007199254740992n, 'after_sequence'));
  });

  it('become a count within its bounds', () => {
    const bounds = { field: 'limit', whenZero: 50, most: 500 };
    expect(toCount(0, bounds)).toBe(50);
    expect(toCount(500, bounds)).toBe(500);
    invalid(() => toCount(501, bounds));
  });
});

describe('an excerpt', () => {
  it('is the whole text when that is short, and otherwise says that it is not', () => {
    expect(toExcerpt('short', 5)).toBe('short');
    expect(toExcerpt('longer', 5)).toBe('longe…');
  });

  it('never ends within a character', () => {
    expect(toExcerpt('four🙂', 5)).toBe('four…');
    expect(toExcerpt('four🙂 and more', 6)).toBe('four🙂…');
  });
});
