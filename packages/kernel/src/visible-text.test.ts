import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_QUOTED_TEXT, quote, visibleText } from './visible-text.ts';

describe('text made visible', () => {
  it.each([
    ['a colour sequence', '\u001b[31mred', '\\u{001b}[31mred'],
    ['a sequence that retitles the window', '\u001b]0;x\u0007', '\\u{001b}]0;x\\u{0007}'],
    ['a control sequence in one byte', '\u009b2J', '\\u{009b}2J'],
    ['a NUL', 'a\0b', 'a\\u{0000}b'],
    ['a carriage return', 'safe\rrm', 'safe\\u{000d}rm'],
    ['a backspace', 'a\b', 'a\\u{0008}'],
    ['an override of direction', 'a\u202etxt.exe', 'a\\u{202e}txt.exe'],
    ['an isolate of direction', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
    ['a mark of direction', 'a\u200fb\u061c', 'a\\u{200f}b\\u{061c}'],
    ['a zero-width space', 'pay\u200bpal', 'pay\\u{200b}pal'],
    ['a zero-width joiner', 'a\u200db', 'a\\u{200d}b'],
    ['a byte order mark', '\ufeffa', '\\u{feff}a'],
    ['a soft hyphen', 'a\u00adb', 'a\\u{00ad}b'],
    ['letters of the tags block', 'a\u{e0041}\u{e007f}', 'a\\u{e0041}\\u{e007f}'],
    ['a variation selector', 'a\ufe0f\ufe00', 'a\\u{fe0f}\\u{fe00}'],
    ['a supplementary variation selector', 'a\u{e0100}', 'a\\u{e0100}'],
    ['a run of selectors behind an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f\\u{fe0f}'],
    ['a Hangul filler', 'a\u3164b\u115f', 'a\\u{3164}b\\u{115f}'],
    ['a joiner of graphemes', 'a\u034f', 'a\\u{034f}'],
    ['the blank of braille', 'a\u2800b', 'a\\u{2800}b'],
    ['a line separator', 'a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
    ['half a surrogate pair', 'a\ud800b', 'a\\u{d800}b'],
    ['a private character', '\ue000\u{10ffff}', '\\u{e000}\\u{10ffff}'],
  ])('shows %s', (_name, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each([
    'plain text',
    'ein Süßwarenverkäufer',
    '日本語',
    'שלום',
    'e\u0301',
    '⚠\ufe0f 👍',
    '`$x`',
  ])('leaves `%s` alone', (text) => {
    expect(visibleText(text, 'one-line')).toBe(text);
  });

  it('keeps newlines and tabs where lines are allowed, and shows them on one line', () => {
    expect(visibleText('a\n\tb')).toBe('a\n\tb');
    expect(visibleText('a\n\tb', 'one-line')).toBe('a\\u{000a}\\u{0009}b');
  });

  it('never lets a control character through, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleText(text, 'one-line')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(visibleText(text).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('a quotation', () => {
  it('stands in backticks', () => {
    expect(quote('process.run')).toBe('`process.run`');
    expect(quote('')).toBe('``');
  });

  it('cannot close its own backticks, break the line or turn the text around', () => {
    expect(quote('a` is allowed\n\u202e')).toBe('`a\\u{0060} is allowed\\u{000a}\\u{202e}`');
  });

  it('is cut when it is long', () => {
    expect(quote('a'.repeat(1_000_000))).toBe(`\`${'a'.repeat(MAX_QUOTED_TEXT)}…\``);
  });
});
