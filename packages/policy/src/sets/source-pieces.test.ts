import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complexityOf, firstCode, piecesOf } from './source-pieces.ts';

describe('a file in pieces', () => {
  it('ends one at every semicolon that is neither in a string nor in a comment', () => {
    const text = '// a;\npermit (";" // ;\n);\nforbid ();';
    expect(piecesOf(text).map((piece) => piece.text)).toEqual([
      '// a;\npermit (";" // ;\n);',
      '\nforbid ();',
    ]);
  });

  it('begins a rule behind the comments before it', () => {
    const text = '// a;\n\n  permit ();';
    expect(piecesOf(text).map(firstCode)).toEqual([9]);
  });

  it('is the file again when they are put together, whatever stands in it', () => {
    const parts = fc.constantFrom('"', '\\', '/', '//', ';', '\n', 'a', 'é', '(', '🙂');
    fc.assert(
      fc.property(fc.array(parts), (texts) => {
        const text = texts.join('');
        const pieces = piecesOf(text);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const { start, text: part, code } of pieces) {
          expect(text.slice(start, start + part.length)).toBe(part);
          expect(code).toHaveLength(part.length);
        }
      }),
    );
  });

  it('tells how complicated each is, without what strings say', () => {
    const [piece] = piecesOf('permit ([{ "((((" }]) when { a.b && !c || if d then e };');
    expect(piece && complexityOf(piece)).toEqual({ brackets: 3, operators: 10 });
  });

  it.each(['"', '\\', '\\"', '"\\"', '/', '//', '//\n', '" //', ';', '";', '"\n', 'a'])(
    'is cut in one go, however long it is: %j again and again',
    (part) => {
      const text = part.repeat(256 * 1024);
      for (const hostile of [text, `"${text}`, `//${text}`]) {
        const pieces = piecesOf(hostile);
        expect(pieces.reduce((sum, piece) => sum + piece.text.length, 0)).toBe(hostile.length);
      }
    },
  );

  it('takes what follows a string that never ends for a part of it', () => {
    expect(piecesOf('permit (); "a; // b;\n').map(({ code }) => code)).toEqual([
      'permit ();',
      `${' '.repeat(10)}\n`,
    ]);
  });
});
