import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineAutomaton, stepsOf } from './line-automaton.ts';
import { type Matcher, readMatcher } from './matcher.ts';
import { NeedleSearch, needleOf } from './needle.ts';
import { anyCase, readPattern } from './pattern.ts';

function patternOf(text: string) {
  const pattern = readPattern(text);
  if (pattern.kind === 'unreadable') throw new Error(pattern.reason);
  return pattern.value;
}

function automatonOf(text: string): LineAutomaton {
  const steps = stepsOf(patternOf(text));
  if (steps === undefined) throw new Error('too large');
  return new LineAutomaton(steps);
}

/** The numbers of the lines that it finds, as a search goes through a piece. */
function found(matcher: Matcher, text: string): readonly number[] {
  const bytes = Buffer.from(text);
  const lines: number[] = [];
  matcher.restart();
  for (let at = 0; at < bytes.length;) {
    const scan = matcher.scan(bytes, at, bytes.length);
    if (scan.kind === 'pause') {
      ({ at } = scan);
      continue;
    }
    const isOpen = scan.kind === 'end' && !text.endsWith('\n') && matcher.isFoundAtEnd();
    if (scan.kind === 'end' && !isOpen) break;
    const place = scan.kind === 'found' ? scan.at : bytes.length - 1;
    lines.push(bytes.subarray(0, place).toString().split('\n').length);
    at = bytes.indexOf('\n', place) + 1 || bytes.length + 1;
    matcher.restart();
  }
  return lines;
}

describe('what every line with a pattern holds', () => {
  it.each([
    ['approved', 'approved'],
    ['^export function (\\w+)\\(', 'export function '],
    ['[a-z]+Outdated[0-9]+', 'Outdated'],
    ['(foobar)+x', 'foobar'],
    ['(?:abcd)ef', 'abcdef'],
    ['x*abc?', undefined],
    ['abc|abd', undefined],
    ['(abcdef)?', undefined],
    ['(abcdef){0,2}g', undefined],
    ['ab.cd', undefined],
    ['é.', undefined],
    ['éé$', 'éé'],
  ])('of %s is %s', (pattern, needle) => {
    expect(needleOf(patternOf(pattern))?.toString()).toBe(needle);
  });

  it('leads to the same lines as looking at every byte', () => {
    const piece = fc.constantFrom(
      'abc',
      'a',
      'b',
      'c',
      '.',
      '[ab]',
      '(abc)+',
      'b?',
      '^',
      '$',
      'c*',
    );
    const letters = fc.constantFrom('a', 'b', 'c', 'abc', '\n', 'é');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.array(letters), (pieces, text) => {
        const pattern = `${pieces.join('')}abc`;
        const needle = needleOf(patternOf(pattern)) ?? expect.fail('it ends with a needle');
        const fast = new NeedleSearch(needle, automatonOf(pattern));
        expect(found(fast, text.join(''))).toEqual(found(automatonOf(pattern), text.join('')));
      }),
    );
  });

  it('leads to the same lines in any case, whatever signs the text has', () => {
    const letters = fc.constantFrom('a', 'K', 's', '.', '[', '\\', '$', ' ', '-', '\t');
    const lines = fc.constantFrom(
      'A',
      'k',
      'S',
      '.',
      '[',
      '\\',
      '$',
      ' ',
      '-',
      '\t',
      '\n',
      'ſ',
      'K',
    );
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 3 }),
        fc.array(lines, { maxLength: 40 }),
        (text, file) => {
          const fast = readMatcher(text.join(''), 'any-case');
          const steps = stepsOf(anyCase(text.join('')));
          if (fast.kind === 'unreadable' || steps === undefined) expect.fail('not readable');
          const slow = new LineAutomaton(steps);
          expect(found(fast.value(), file.join(''))).toEqual(found(slow, file.join('')));
        },
      ),
    );
  });

  it('lets others go first as often, when each line has something new', () => {
    const lines = Array.from(
      { length: 200 },
      (_, place) => `${String.fromCodePoint(0x100 + place)}abc`,
    );
    const search = new NeedleSearch(Buffer.from('abc'), automatonOf('.{1,9}abc.{1,9}x'));
    const bytes = Buffer.from(lines.join('\n'));
    search.restart();
    expect(search.scan(bytes, 0, bytes.length).kind).toBe('pause');
  });
});
