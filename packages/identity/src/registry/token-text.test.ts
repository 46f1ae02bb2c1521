import { redactText } from '@palyra/kernel';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTokenText, makeTokenText } from './token-text.ts';

/** 32 bytes of zero; the last six characters are the beginning of a SHA-256 worked out elsewhere. */
const ZERO = `pal_${'A'.repeat(43)}`;

describe('the text of a token', () => {
  it('is pal_, 43 characters for 256 bits, and six of a checksum', () => {
    const text = makeTokenText();
    expect(text).toMatch(/^pal_[A-Za-z0-9_-]{49}$/);
    expect(isTokenText(text)).toBe(true);
    expect(makeTokenText()).not.toBe(text);
  });

  it('has the checksum that the format says', () => {
    expect(isTokenText(`${ZERO}Mvas_w`)).toBe(true);
  });

  it('is refused when any one character is another', () => {
    const text = makeTokenText();
    const wrong = Array.from(text, (character, at) => {
      const other = character === 'A' ? 'B' : 'A';
      return text.slice(0, at) + other + text.slice(at + 1);
    });
    expect(wrong.filter(isTokenText)).toEqual([]);
  });

  it.each([
    '',
    'pal_',
    ZERO,
    `PAL_${'A'.repeat(49)}`,
    'a'.repeat(1_000_000),
    `${makeTokenText()}\n`,
    ` ${makeTokenText()}`,
    makeTokenText().replace('pal_', 'pal-'),
  ])('is refused when it is something else', (text) => {
    expect(isTokenText(text)).toBe(false);
  });

  it('has one spelling: bits that base64 would ignore are refused', () => {
    expect(isTokenText(`pal_${'A'.repeat(42)}BAAAAAA`)).toBe(false);
  });

  it('never comes of chance', () => {
    const alike = fc.stringMatching(/^pal_[A-Za-z0-9_-]{49}$/);
    fc.assert(fc.property(alike, (text) => !isTokenText(text)));
    fc.assert(fc.property(fc.string(), (text) => !isTokenText(text)));
  });

  it('is recognised as a secret in a log', () => {
    const text = makeTokenText();
    expect(redactText(`sent ${text}, then`)).not.toContain(text.slice(4, 20));
  });
});
