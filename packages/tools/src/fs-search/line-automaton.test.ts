import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineAutomaton, stepsOf } from './line-automaton.ts';
import { readPattern } from './pattern.ts';

function matches(pattern: string, line: string): boolean | string {
  const read = readPattern(pattern);
  if (read.kind === 'unreadable') return read.reason;
  const steps = stepsOf(read.value);
  if (steps === undefined) return 'too large';
  const automaton = new LineAutomaton(steps);
  const bytes = Buffer.from(line);
  automaton.restart();
  let at = 0;
  for (;;) {
    const scan = automaton.scan(bytes, at, bytes.length);
    if (scan.kind === 'pause') at = scan.at;
    else return scan.kind === 'found' || automaton.isFoundAtEnd();
  }
}

describe('a pattern', () => {
  it.each([
    ['a.c', 'xxabcxx', true],
    ['a.c', 'a€c', true],
    ['a.c', 'ac', false],
    ['^abc', 'abcd', true],
    ['^bc', 'abc', false],
    ['bc$', 'abc', true],
    ['ab$', 'abc', false],
    ['^$', '', true],
    ['^$', 'x', false],
    ['colou?r', 'my color', true],
    ['(foo|bar)+baz', 'xfoobarbaz', true],
    ['a{2,3}b', 'ab', false],
    ['a{2,3}b', 'aaab', true],
    ['^a{2}$', 'aaa', false],
    ['a{2,}$', 'aaaaa', true],
    ['[a-c]+z', 'xxabcz', true],
    ['[^a-c]z', 'cz', false],
    ['[^a-c]z', 'éz', true],
    ['[äö]x', 'öx', true],
    ['\\d{3}-\\w+', '123-ab_9', true],
    ['\\D', '123', false],
    ['\\S\\s\\S', 'a b', true],
    ['\\.\\(\\)', 'a.()', true],
    ['(?:ab)c', 'abc', true],
    ['^function (\\w+)\\(', 'function main(', true],
  ])('%s in %j: %s', (pattern, line, expected) => {
    expect(matches(pattern, line)).toBe(expected);
  });

  it.each([
    ['(a', 'opens a `(`'],
    ['a)', 'closes more'],
    ['[a', 'opens a `[`'],
    ['*a', 'has a `*` after nothing'],
    ['a**', 'repeats a repetition'],
    ['(?=a)', 'looks ahead'],
    ['(?<n>a)', 'looks ahead'],
    ['(a)\\1', 'has a `\\` before'],
    ['\\bword', 'has a `\\` before'],
    ['a{200}', 'counts beyond'],
    ['a{3,2}', 'counts beyond'],
    ['[z-a]', 'has a range'],
    ['('.repeat(40), 'is nested deeper'],
    ['\\', 'has a `\\` before'],
  ])('%s is refused', (pattern, reason) => {
    expect(matches(pattern, 'x')).toContain(`has a pattern that ${reason}`);
  });

  it('that would fill the memory is refused', () => {
    expect(matches('((a{100}){100}){100}', 'a')).toBe('too large');
  });

  it('never throws, whatever its text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (pattern) => {
        expect(['boolean', 'string']).toContain(typeof matches(pattern, 'abc'));
      }),
    );
  });

  it('means what the regular expressions of the platform mean', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|b)', '(ab)', '\\w');
    const piece = fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,2}'));
    const ends = fc.tuple(fc.constantFrom('', '^'), fc.constantFrom('', '$'));
    const body = fc.array(piece, { minLength: 1, maxLength: 4 });
    const line = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength: 8 });
    fc.assert(
      fc.property(ends, body, line, ([start, end], pieces, text) => {
        const pattern = `${start}${pieces.map((each) => each.join('')).join('')}${end}`;
        expect([pattern, text, matches(pattern, text)]).toEqual([
          pattern,
          text,
          new RegExp(pattern, 'u').test(text),
        ]);
      }),
      { numRuns: 1000 },
    );
  });
});
