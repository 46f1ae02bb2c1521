import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { part, piecesOf } from './pieces.ts';

const paragraph = (letter: string) => `${letter.repeat(900)}\n\n`;

/** As it comes while somebody speaks. */
function spoken(text: string, step: number): readonly string[] {
  const done: string[] = [];
  let open = '';
  for (let at = 0; at < text.length; at += step) {
    const parted = part(open + text.slice(at, at + step));
    done.push(...parted.done);
    open = parted.rest;
  }
  return open.trim() === '' ? done : [...done, open];
}

describe('a text in pieces', () => {
  it('is one piece while it is short', () => {
    expect(piecesOf('# Hello\n\nworld')).toEqual(['# Hello\n\nworld']);
    expect(piecesOf(' \n')).toEqual([]);
  });

  it('is parted between blocks', () => {
    const text = paragraph('a') + paragraph('b') + paragraph('c') + paragraph('d');
    const pieces = piecesOf(text);
    expect(pieces.join('')).toBe(text);
    expect(pieces.map((piece) => piece.trim()[0])).toEqual(['a', 'c']);
  });

  it('keeps a list together that has empty lines in it', () => {
    const list = Array.from({ length: 30 }, () => `- ${'x'.repeat(90)}\n\n`).join('');
    expect(piecesOf(list)).toHaveLength(1);
    expect(spoken(list, 50)).toEqual(piecesOf(list));
  });

  it('goes on as code where code was parted in the middle', () => {
    const code = `~~~~ts\n${'const a = 1;\n'.repeat(1_500)}~~~~\n`;
    const pieces = piecesOf(code);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.every((piece) => piece.startsWith('~~~~ts\n'))).toBe(true);
    expect(pieces.join('').replaceAll('~~~~ts\n', '')).toBe(code.replaceAll('~~~~ts\n', ''));
  });

  it('is parted the same, however it came', () => {
    const block = fc.oneof(
      fc.constantFrom(
        '```js\nlet a;\n```\n\n',
        '- a\n- b\n\n',
        '> q\nlazy\n\n',
        '# h\n',
        '\n',
        'a\n---\n',
      ),
      fc.string({ minLength: 200, maxLength: 900 }).map((text) => `${text}\n\n`),
      fc.constant('| a | b |\n| - | - |\n| 1 | 2 |\n\n'),
    );
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 20 }),
        fc.integer({ min: 7, max: 400 }),
        (blocks, step) => {
          const text = blocks.join('').replaceAll('\r\n', '\n').replaceAll('\r', '');
          expect(spoken(text, step)).toEqual(piecesOf(text));
        },
      ),
      { numRuns: 40 },
    );
  });
});
