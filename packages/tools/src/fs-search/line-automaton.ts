import type { Pattern } from './pattern.ts';

const MAX_STEPS = 1024;
/** Known sets of steps; when there are more, all are forgotten and found anew as they come. */
const MAX_STATES = 512;
/** So many unknown ones, and it is time to let others go first. */
const MAX_FOUND = 32;

type Step =
  | { readonly kind: 'byte'; readonly set: ReadonlySet<number>; readonly next: number }
  | { readonly kind: 'fork'; next: readonly number[] }
  | { readonly kind: 'line-start' | 'line-end'; readonly next: number }
  | { readonly kind: 'found' };

export type Scan =
  /** Up to the end that was named. */
  | { readonly kind: 'end' }
  /** Somewhere in the line that `at` is in or right after. */
  | { readonly kind: 'found'; readonly at: number }
  /** Go on at `at`, which is before the end, after a pause. */
  | { readonly kind: 'pause'; readonly at: number };

const NEWLINE = 0x0a;
const UNKNOWN = -1;

/** A pattern with its repetitions written out. */
export interface PatternSteps {
  readonly steps: readonly Step[];
  readonly first: number;
}

/** Contract: `undefined` for a pattern that is too large. */
export function stepsOf(pattern: Pattern): PatternSteps | undefined {
  const steps: Step[] = [{ kind: 'found' }];
  const first = compile(pattern, 0, steps);
  return first === undefined ? undefined : { steps, first };
}

/**
 * Decides line by line in one pass, without ever going back, whatever the pattern: each byte leads
 * from one set of steps to the next, and sets that were met before are looked up in a table.
 */
export class LineAutomaton {
  readonly #steps: readonly Step[];
  readonly #first: number;
  readonly #table = new Int32Array(MAX_STATES * 256);
  /** Sets of steps by state, and the other way round. */
  #sets: number[][] = [];
  #states = new Map<string, number>();
  #isFound = new Uint8Array(MAX_STATES);
  #isFoundAtEnd = new Uint8Array(MAX_STATES);
  #lineStart = 0;
  #state = 0;
  /** Unknown ones since the last pause. INVARIANT: lines that are scanned one by one add up. */
  #found = 0;

  constructor({ steps, first }: PatternSteps) {
    this.#steps = steps;
    this.#first = first;
    this.#forget();
  }

  restart(): void {
    this.#state = this.#lineStart;
  }

  /** Contract: goes on where the last call has ended, unless `restart` came between. */
  scan(bytes: Uint8Array, from: number, end: number): Scan {
    for (let at = from; at < end; at += 1) {
      const byte = bytes[at] ?? NEWLINE;
      if (byte === NEWLINE) {
        const isMatch = this.#isFoundAtEnd[this.#state] === 1;
        this.#state = this.#lineStart;
        if (isMatch) return { kind: 'found', at };
        continue;
      }
      let next = this.#table[(this.#state << 8) | byte] ?? UNKNOWN;
      if (next === UNKNOWN) {
        if (this.#found >= MAX_FOUND) {
          this.#found = 0;
          return { kind: 'pause', at };
        }
        next = this.#find(this.#state, byte);
        this.#found += 1;
      }
      this.#state = next;
      if (this.#isFound[next] === 1) return { kind: 'found', at };
    }
    return { kind: 'end' };
  }

  /** Whether a last line without an end matches; the empty line does when the pattern may be empty. */
  isFoundAtEnd(): boolean {
    return this.#isFoundAtEnd[this.#state] === 1;
  }

  #find(state: number, byte: number): number {
    // What was found stays found: a start of a line can be that without any byte.
    const reached = new Set(this.#isFound[state] === 1 ? [this.#first, 0] : [this.#first]);
    for (const place of this.#sets[state] ?? []) {
      const step = this.#steps[place];
      if (step?.kind === 'byte' && step.set.has(byte)) reached.add(step.next);
    }
    const set = this.#closure([...reached], 'in-line');
    const known = this.#states.get(set.join());
    if (known !== undefined) {
      this.#table[(state << 8) | byte] = known;
      return known;
    }
    if (this.#sets.length === MAX_STATES) {
      this.#forget();
      return this.#add(set, 'in-line');
    }
    const added = this.#add(set, 'in-line');
    this.#table[(state << 8) | byte] = added;
    return added;
  }

  #forget(): void {
    this.#table.fill(UNKNOWN);
    this.#sets = [];
    this.#states = new Map();
    this.#isFound.fill(0);
    this.#isFoundAtEnd.fill(0);
    this.#lineStart = this.#add(this.#closure([this.#first], 'line-start'), 'line-start');
    this.#state = this.#lineStart;
  }

  #add(set: number[], where: 'line-start' | 'in-line'): number {
    const state = this.#sets.length;
    this.#sets.push(set);
    // The start of a line is a place of its own: the same steps may pass `^` there.
    if (where === 'in-line') this.#states.set(set.join(), state);
    this.#isFound[state] = set.includes(0) ? 1 : 0;
    this.#isFoundAtEnd[state] = this.#reachesEnd(set, where) ? 1 : 0;
    return state;
  }

  #reachesEnd(set: readonly number[], where: 'line-start' | 'in-line'): boolean {
    const ends = set.flatMap((place) => {
      const step = this.#steps[place];
      return step?.kind === 'line-end' ? [step.next] : [];
    });
    return set.includes(0) || this.#closure(ends, where, 'line-end').includes(0);
  }

  /** Every step that is reached without a byte, in order. */
  #closure(
    from: readonly number[],
    where: 'line-start' | 'in-line',
    end: 'line-end' | 'in-line' = 'in-line',
  ): number[] {
    const reached = new Set<number>();
    const open = [...from];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (reached.has(place)) continue;
      reached.add(place);
      const step = this.#steps[place];
      if (step?.kind === 'fork') open.push(...step.next);
      else if (step?.kind === 'line-start' && where === 'line-start') open.push(step.next);
      else if (step?.kind === 'line-end' && end === 'line-end') open.push(step.next);
    }
    return [...reached].toSorted((one, other) => one - other);
  }
}

/** Adds the steps of a pattern that lead to `next`, and gives the first. Contract: `undefined` beyond MAX_STEPS. */
function compile(pattern: Pattern, next: number, steps: Step[]): number | undefined {
  if (steps.length > MAX_STEPS) return undefined;
  switch (pattern.kind) {
    case 'byte':
      return add(steps, { kind: 'byte', set: pattern.set, next });
    case 'line-start':
    case 'line-end':
      return add(steps, { kind: pattern.kind, next });
    case 'sequence': {
      let first: number | undefined = next;
      for (const part of pattern.parts.toReversed()) {
        if (first !== undefined) first = compile(part, first, steps);
      }
      return first;
    }
    case 'choice': {
      const firsts = pattern.parts.map((part) => compile(part, next, steps));
      const known = firsts.filter((first) => first !== undefined);
      if (known.length < firsts.length) return undefined;
      return add(steps, { kind: 'fork', next: known });
    }
    case 'repeat':
      return compileRepeat(pattern, next, steps);
  }
}

function compileRepeat(
  { part, least, most }: Pattern & { kind: 'repeat' },
  next: number,
  steps: Step[],
): number | undefined {
  let first: number | undefined = next;
  if (most === Infinity) {
    const loop: Step & { kind: 'fork' } = { kind: 'fork', next: [next] };
    const place = add(steps, loop);
    const again = compile(part, place, steps);
    if (again === undefined) return undefined;
    loop.next = [again, next];
    first = place;
  } else {
    for (let count = least; count < most && first !== undefined; count += 1) {
      const once = compile(part, first, steps);
      first = once === undefined ? undefined : add(steps, { kind: 'fork', next: [once, next] });
    }
  }
  for (let count = 0; count < least && first !== undefined; count += 1) {
    first = compile(part, first, steps);
  }
  return first;
}

function add(steps: Step[], step: Step): number {
  steps.push(step);
  return steps.length - 1;
}
