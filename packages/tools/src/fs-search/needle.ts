import type { LineAutomaton, Scan } from './line-automaton.ts';
import type { Pattern } from './pattern.ts';

/** Shorter ones are in almost every line, and looking for them saves nothing. */
const LEAST_BYTES = 3;
const NEWLINE = 0x0a;

/** The longest text that every line with the pattern holds. Contract: `undefined` when none is worth looking for. */
export function needleOf(pattern: Pattern): Buffer | undefined {
  const { needle } = textsOf(pattern);
  return needle.length < LEAST_BYTES ? undefined : Buffer.from(needle);
}

interface Texts {
  /** All that the pattern can be, when that is one text. */
  readonly whole: readonly number[] | undefined;
  readonly needle: readonly number[];
}

function textsOf(pattern: Pattern): Texts {
  switch (pattern.kind) {
    case 'byte':
      return pattern.set.size === 1 ? only([...pattern.set]) : NOTHING;
    case 'line-start':
    case 'line-end':
      return only([]);
    case 'sequence':
      return inSequence(pattern.parts.map(textsOf));
    case 'choice': {
      const [first, ...others] = pattern.parts.map(textsOf);
      return first === undefined || others.length > 0 ? NOTHING : first;
    }
    case 'repeat': {
      const once = pattern.least === 0 ? NOTHING : textsOf(pattern.part);
      return { whole: undefined, needle: once.needle };
    }
  }
}

const NOTHING: Texts = { whole: undefined, needle: [] };

function only(text: readonly number[]): Texts {
  return { whole: text, needle: text };
}

function inSequence(parts: readonly Texts[]): Texts {
  let needle: readonly number[] = [];
  let run: readonly number[] = [];
  for (const part of parts) {
    needle = longer(needle, part.needle);
    run = part.whole === undefined ? [] : [...run, ...part.whole];
    needle = longer(needle, run);
  }
  return { whole: parts.every(({ whole }) => whole !== undefined) ? run : undefined, needle };
}

function longer(one: readonly number[], other: readonly number[]): readonly number[] {
  return other.length > one.length ? other : one;
}

/**
 * Looks at lines with the needle alone: finding that is many times faster than walking byte by byte.
 * Contract: as of the automaton.
 */
export class NeedleSearch {
  readonly #needle: Buffer;
  readonly #automaton: LineAutomaton;
  #isInLine = false;

  constructor(needle: Buffer, automaton: LineAutomaton) {
    this.#needle = needle;
    this.#automaton = automaton;
  }

  restart(): void {
    this.#isInLine = false;
    this.#automaton.restart();
  }

  scan(bytes: Buffer, from: number, end: number): Scan {
    const searched = bytes.subarray(0, end);
    for (let at = from; at < end;) {
      if (!this.#isInLine) {
        this.#automaton.restart();
        const hit = searched.indexOf(this.#needle, at);
        if (hit === -1) return { kind: 'end' };
        at = Math.max(at, searched.lastIndexOf(NEWLINE, hit) + 1);
      }
      const lineEnd = searched.indexOf(NEWLINE, at) + 1 || end;
      const scan = this.#automaton.scan(bytes, at, lineEnd);
      this.#isInLine = scan.kind === 'pause';
      if (scan.kind !== 'end') return scan;
      at = lineEnd;
    }
    return { kind: 'end' };
  }

  isFoundAtEnd(): boolean {
    return this.#automaton.isFoundAtEnd();
  }
}
