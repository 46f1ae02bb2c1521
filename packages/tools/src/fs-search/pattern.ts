import { type Reading, type Unreadable, read, unreadable } from '../canonical/reading.ts';

/** What a pattern means, down to bytes of UTF-8. */
export type Pattern =
  | { readonly kind: 'byte'; readonly set: ReadonlySet<number> }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Pattern[] }
  | {
      readonly kind: 'repeat';
      readonly part: Pattern;
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: 'line-start' | 'line-end' };

const MAX_REPEATS = 100;
const MAX_DEPTH = 32;
const HELP =
  'write `.`, `[a-z]`, `\\d \\w \\s`, `( | )`, `* + ? {1,9}`, `^ $`; `\\` before any other sign';

/** The text itself, in small letters and capitals. */
export function anyCase(text: string): Pattern {
  const parts = Array.from(text).map((letter): Pattern => {
    const forms = new Set([letter, letter.toLowerCase(), letter.toUpperCase()]);
    return { kind: 'choice', parts: [...forms].map(literal) };
  });
  return { kind: 'sequence', parts };
}

/**
 * The part of regular expressions that one pass over the bytes decides: nothing that looks back or
 * ahead. Contract: never throws, whatever the text.
 */
export function readPattern(text: string): Reading<Pattern> {
  const reader = new PatternReader(Array.from(text));
  const pattern = reader.choice(0);
  return reader.problem ?? (reader.isAtEnd ? read(pattern) : problem('closes more than it opens'));
}

class PatternReader {
  problem: Unreadable | undefined;
  readonly #letters: readonly string[];
  #at = 0;

  constructor(letters: readonly string[]) {
    this.#letters = letters;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#letters.length;
  }

  choice(depth: number): Pattern {
    if (depth > MAX_DEPTH) return this.#fail(`is nested deeper than ${MAX_DEPTH} groups`);
    const parts = [this.#sequence(depth)];
    while (this.#take('|')) parts.push(this.#sequence(depth));
    return { kind: 'choice', parts };
  }

  #sequence(depth: number): Pattern {
    const parts: Pattern[] = [];
    while (!this.isAtEnd && !'|)'.includes(this.#peek()) && this.problem === undefined) {
      parts.push(this.#repeated(this.#atom(depth)));
    }
    return { kind: 'sequence', parts };
  }

  #repeated(part: Pattern): Pattern {
    const sign = this.#peek();
    const simple = sign === '' ? undefined : REPEATS[sign];
    if (simple !== undefined) {
      this.#at += 1;
      return this.#notTwice({ kind: 'repeat', part, ...simple });
    }
    if (sign !== '{') return part;
    const rest = this.#letters.slice(this.#at, this.#at + 10).join('');
    const [whole, least, comma, most] = /^\{(\d{1,3})(,)?(\d{1,3})?\}/.exec(rest) ?? [];
    if (whole === undefined) return this.#fail('has a `{` that counts nothing');
    this.#at += whole.length;
    const from = Number(least);
    const to = most === undefined ? (comma === undefined ? from : Infinity) : Number(most);
    if (from > MAX_REPEATS || (to !== Infinity && (to > MAX_REPEATS || to < from))) {
      return this.#fail(`counts beyond ${MAX_REPEATS} or backwards`);
    }
    return this.#notTwice({ kind: 'repeat', part, least: from, most: to });
  }

  #notTwice(pattern: Pattern): Pattern {
    if (!['*', '+', '?', '{'].includes(this.#peek())) return pattern;
    return this.#fail('repeats a repetition');
  }

  #atom(depth: number): Pattern {
    const letter = this.#peek();
    this.#at += 1;
    switch (letter) {
      case '.':
        return ANY;
      case '^':
        return { kind: 'line-start' };
      case '$':
        return { kind: 'line-end' };
      case '[':
        return this.#set();
      case '\\':
        return this.#escape();
      case '(':
        return this.#group(depth);
      case '*':
      case '+':
      case '?':
      case '{':
        return this.#fail(`has a \`${letter}\` after nothing`);
      default:
        return literal(letter);
    }
  }

  #group(depth: number): Pattern {
    if (this.#take('?') && !this.#take(':'))
      return this.#fail('looks ahead, back or names a group');
    const inside = this.choice(depth + 1);
    return this.#take(')') ? inside : this.#fail('opens a `(` that it does not close');
  }

  #escape(): Pattern {
    const letter = this.#peek();
    this.#at += 1;
    const known = CLASSES[letter];
    if (known !== undefined) return { kind: 'byte', set: known };
    const negated = CLASSES[letter.toLowerCase()];
    if (negated !== undefined && letter !== letter.toLowerCase()) return allBut(negated);
    if (letter === 't') return literal('\t');
    if (letter !== '' && /[^\p{L}\p{N}]/u.test(letter)) return literal(letter);
    return this.#fail('has a `\\` before a letter that means nothing here');
  }

  #set(): Pattern {
    const isNegated = this.#take('^');
    const bytes = new Set<number>();
    const others: Pattern[] = [];
    let isFirst = true;
    while (isFirst || this.#peek() !== ']') {
      if (this.isAtEnd) return this.#fail('opens a `[` that it does not close');
      isFirst = false;
      const from = this.#setLetter(bytes);
      if (from === undefined) continue;
      const isRange = this.#peek() === '-' && this.#letters[this.#at + 1] !== ']';
      if (isRange) this.#at += 1;
      const to = isRange ? this.#setLetter(bytes) : from;
      if (to === undefined || (from !== to && !isAsciiRange(from, to))) {
        return this.#fail('has a range in `[ ]` that is not of ASCII letters in order');
      }
      if (from !== to || from.charCodeAt(0) < 0x80) addRange(bytes, from, to);
      else others.push(literal(from));
    }
    this.#at += 1;
    if (!isNegated) return { kind: 'choice', parts: [{ kind: 'byte', set: bytes }, ...others] };
    return others.length === 0 ? allBut(bytes) : this.#fail('has `[^ ]` with letters beyond ASCII');
  }

  /** Contract: `undefined` when it was a class, which is in `bytes` by then. */
  #setLetter(bytes: Set<number>): string | undefined {
    const letter = this.#peek();
    this.#at += 1;
    if (letter !== '\\') return letter;
    const escaped = this.#peek();
    this.#at += 1;
    const known = CLASSES[escaped];
    for (const byte of known ?? []) bytes.add(byte);
    if (known !== undefined) return undefined;
    return escaped === 't' ? '\t' : escaped;
  }

  #peek(): string {
    return this.#letters[this.#at] ?? '';
  }

  #take(letter: string): boolean {
    if (this.#peek() !== letter) return false;
    this.#at += 1;
    return true;
  }

  #fail(why: string): Pattern {
    this.problem ??= problem(why);
    this.#at = this.#letters.length;
    return EMPTY;
  }
}

function problem(why: string): Unreadable {
  return unreadable(`has a pattern that ${why}`, HELP);
}

const EMPTY: Pattern = { kind: 'sequence', parts: [] };

const REPEATS: Readonly<Record<string, { least: number; most: number }>> = {
  '*': { least: 0, most: Infinity },
  '+': { least: 1, most: Infinity },
  '?': { least: 0, most: 1 },
};

const CLASSES: Readonly<Record<string, ReadonlySet<number>>> = {
  d: rangeSet('09'),
  w: rangeSet('09', 'az', 'AZ', '__'),
  s: rangeSet('  ', '\t\r'),
};

function rangeSet(...ranges: readonly string[]): ReadonlySet<number> {
  const set = new Set<number>();
  for (const range of ranges) addRange(set, range.charAt(0), range.charAt(1));
  return set;
}

function isAsciiRange(from: string, to: string): boolean {
  return from <= to && to.charCodeAt(0) < 0x80;
}

function addRange(set: Set<number>, from: string, to: string): void {
  for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code += 1) set.add(code);
}

function literal(letters: string): Pattern {
  const parts = [...Buffer.from(letters)].map((byte): Pattern => ({
    kind: 'byte',
    set: new Set([byte]),
  }));
  return { kind: 'sequence', parts };
}

/** Every character but some of ASCII; those beyond are two to four bytes. */
function allBut(some: ReadonlySet<number>): Pattern {
  const ascii = new Set<number>();
  for (let byte = 0; byte < 0x80; byte += 1) if (!some.has(byte)) ascii.add(byte);
  return { kind: 'choice', parts: [{ kind: 'byte', set: ascii }, ...beyondAscii()] };
}

function beyondAscii(): readonly Pattern[] {
  const range = (from: number, to: number): Pattern => ({
    kind: 'byte',
    set: new Set(Array.from({ length: to - from + 1 }, (_, place) => from + place)),
  });
  const more = range(0x80, 0xbf);
  return [
    { kind: 'sequence', parts: [range(0xc2, 0xdf), more] },
    { kind: 'sequence', parts: [range(0xe0, 0xef), more, more] },
    { kind: 'sequence', parts: [range(0xf0, 0xf4), more, more, more] },
  ];
}

const ANY = allBut(new Set([0x0a]));
