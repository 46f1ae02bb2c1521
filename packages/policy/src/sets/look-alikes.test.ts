import { describe, expect, it } from 'vitest';
import { mixedWord } from './look-alikes.ts';

describe('a word that mixes scripts', () => {
  it.each(['pаypal', 'gοogle', 'Ελλάδα-Αa', 'кaт', 'x.аb', 'αа', 'aա', '/usr/bin/gіt'])(
    '%s is found',
    (text) => {
      expect(mixedWord(text)).toBeDefined();
    },
  );

  it.each([
    '',
    'paypal',
    'кот',
    '/home/иван/Docs',
    'Ελλάδα',
    '日本abc',
    'naïve',
    '한글 abc',
    'a1б',
    'ё é',
  ])('%s is fine', (text) => {
    expect(mixedWord(text)).toBeUndefined();
  });
});
