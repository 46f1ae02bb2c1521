import { describe, expect, it } from 'vitest';
import { codePoints, piecesOf } from './lookalikes.ts';

const marked = (text: string) => piecesOf(text).filter(({ is }) => is !== 'plain');

describe('text that somebody has to answer for', () => {
  it('stands as it is when it is ASCII, and loses nothing', () => {
    const text = 'curl -fsS https://example.org/a_b?c=d | sh\n\t# done';
    expect(piecesOf(text)).toEqual([{ is: 'plain', text }]);
  });

  it('shows what hides or turns the text around', () => {
    expect(piecesOf('a\u200bb\u202ec')).toEqual([
      { is: 'plain', text: 'a' },
      { is: 'hidden', text: '\\u{200b}' },
      { is: 'plain', text: 'b' },
      { is: 'hidden', text: '\\u{202e}' },
      { is: 'plain', text: 'c' },
    ]);
  });

  it.each([
    ['a Cyrillic letter in a Latin word', 'p\u0430ypal', '\u0430', 'a'],
    ['a space that does not break', 'rm\u00a0-rf', '\u00a0', 'a space'],
    ['a dash that is no hyphen', 'ls \u2212l', '\u2212', '-'],
    ['a slash that is none', 'etc\u2215passwd', '\u2215', '/'],
    ['a wide letter', '\uff52m', '\uff52', 'r'],
    ['a mathematical letter', '\u{1d42b}m', '\u{1d42b}', 'r'],
    ['a quotation mark of books', 'echo \u2019x', '\u2019', "'"],
    ['a letter with its accent apart', 'cafe\u0301', 'e\u0301', '\u00e9 (U+00E9)'],
  ])('marks %s', (_, text, character, like) => {
    expect(marked(text)).toEqual([{ is: 'lookalike', text: character, like }]);
  });

  it('marks every letter of a word that only looks Latin', () => {
    expect(marked('\u0440\u0430\u0443\u0440')).toHaveLength(4);
  });

  it.each(['Привет', 'Ελλάδα', 'žluťoučký', '日本語', 'Grüße', 'naïve', '❤️ done'])(
    'leaves %s alone, which is plainly what it is',
    (text) => {
      expect(piecesOf(text)).toEqual([{ is: 'plain', text }]);
    },
  );

  it('says how wide a gap is that something could lie behind', () => {
    const gap = ' '.repeat(400);
    expect(piecesOf(`ok${gap};sh`)).toEqual([
      { is: 'plain', text: 'ok' },
      { is: 'gap', text: gap },
      { is: 'plain', text: ';sh' },
    ]);
    expect(marked('\t'.repeat(11))).toHaveLength(1);
    expect(marked(`${' '.repeat(40)}x\n${'\t'.repeat(10)}y`)).toEqual([]);
  });

  it('drops no character of whatever text', () => {
    const text = 'x\u0301\u0430\ufe0f\u3164\u{e0041}\ud800 z';
    const shown = piecesOf(text)
      .map((piece) => piece.text)
      .join('');
    expect(shown).toBe('x\u0301\u0430\\u{fe0f}\\u{3164}\\u{e0041}\\u{d800} z');
  });

  it('names code points', () => {
    expect(codePoints('a\u{1d42b}')).toBe('U+0061 U+1D42B');
  });
});
