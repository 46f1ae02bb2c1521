import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../request/process.ts';
import { wordsOf } from './command-words.ts';

const ODD = ['', ' ', '"', '\\', "it's", 'a b', '\n', '\u{2800}', '\\u{41}', '"a" b', '-m', 'git'];

describe('the words of a command line', () => {
  it('are read back from the line that they make', () => {
    const word = fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        expect(wordsOf(commandLine(words))).toEqual(words);
      }),
    );
  });

  it.each(['', ' a', 'a ', 'a  b', '"a', 'a"b'])('are not to be had from `%s`', (line) => {
    expect(wordsOf(line)).toBeUndefined();
  });
});
