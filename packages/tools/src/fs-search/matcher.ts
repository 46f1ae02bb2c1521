import { type Reading, read, unreadable } from '../canonical/reading.ts';
import { LineAutomaton, type Scan, stepsOf } from './line-automaton.ts';
import { NeedleSearch, needleOf } from './needle.ts';
import { type Pattern, anyCase, readPattern } from './pattern.ts';

export type MatchKind = 'any-case' | 'exact' | 'pattern';

/** Finds lines. Contract: `scan` is called for whole lines, in order; `restart` before another line. */
export interface Matcher {
  restart(): void;
  scan(bytes: Buffer, from: number, end: number): Scan;
  /** Whether what was scanned last, a line without an end, is one. */
  isFoundAtEnd(): boolean;
}

/** Made when it is used: its tables are large. */
export type MakeMatcher = () => Matcher;

export function readMatcher(text: string, kind: MatchKind): Reading<MakeMatcher> {
  switch (kind) {
    case 'exact':
      return read(() => exactly(Buffer.from(text)));
    case 'any-case':
      return PLAIN.test(text) ? read(() => inAnyCase(text)) : automatonOf(anyCase(text));
    case 'pattern': {
      const pattern = readPattern(text);
      return pattern.kind === 'unreadable' ? pattern : automatonOf(pattern.value);
    }
  }
}

function automatonOf(pattern: Pattern): Reading<MakeMatcher> {
  const steps = stepsOf(pattern);
  const needle = needleOf(pattern);
  if (steps !== undefined) {
    return read(() => {
      const automaton = new LineAutomaton(steps);
      return needle === undefined ? automaton : new NeedleSearch(needle, automaton);
    });
  }
  return unreadable('has a pattern that is too large', 'count less in it, or search twice');
}

/** Each letter is one byte, small or capital, and a line end is none of them. */
const PLAIN = /^[\t\x20-\x7e]+$/;

/** Nothing repeats in the expression, so it costs no more than its length for each byte. */
function inAnyCase(text: string): Matcher {
  const expression = new RegExp(RegExp.escape(text), 'i');
  return {
    restart: () => undefined,
    scan(bytes, from, end) {
      const at = bytes.toString('latin1', from, end).search(expression);
      return at === -1 ? { kind: 'end' } : { kind: 'found', at: from + at };
    },
    isFoundAtEnd: () => false,
  };
}

function exactly(wanted: Buffer): Matcher {
  return {
    restart: () => undefined,
    scan(bytes, from, end) {
      const at = bytes.subarray(0, end).indexOf(wanted, from);
      return at === -1 ? { kind: 'end' } : { kind: 'found', at };
    },
    isFoundAtEnd: () => false,
  };
}
