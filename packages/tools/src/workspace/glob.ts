/**
 * Patterns of ignore files. They come from the workspace, so nothing in them may cost more than its
 * length times the length of the name: no regular expression is made of them.
 */
export interface Glob {
  matches(path: readonly string[]): boolean;
}

const ANY_FOLDERS = '**';

/** Contract: `pattern` without `!`, leading and final slash; a pattern without a slash fits at any depth. */
export function readGlob(pattern: string, isAnchored: 'anchored' | 'anywhere'): Glob {
  const parts = pattern.split('/');
  const [only = ''] = parts;
  if (isAnchored === 'anywhere') {
    if (!/[*?[\\]/.test(only)) return { matches: (path) => path.at(-1) === only };
    const tokens = readTokens(only);
    return { matches: (path) => fits(path.at(-1) ?? '', tokens) };
  }
  const steps = parts.map((part) => (part === ANY_FOLDERS ? ANY_FOLDERS : readTokens(part)));
  return { matches: (path) => pathFits(path, steps) };
}

type Token =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'letter'; readonly letter: string }
  | {
      readonly kind: 'set';
      readonly isNegated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const letter = text.charAt(at);
    const set = letter === '[' ? readSet(text, at) : undefined;
    if (set !== undefined) {
      tokens.push(set.token);
      at = set.end;
      continue;
    }
    if (letter === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (letter === '?') tokens.push({ kind: 'any' });
    else if (letter === '\\') {
      at += 1;
      tokens.push({ kind: 'letter', letter: text.charAt(at) });
    } else tokens.push({ kind: 'letter', letter });
    at += 1;
  }
  return tokens;
}

function readSet(text: string, start: number): { token: Token; end: number } | undefined {
  const isNegated = '!^'.includes(text.charAt(start + 1)) && text.length > start + 1;
  const first = start + (isNegated ? 2 : 1);
  // A `]` that comes first is a letter of the set.
  const end = text.indexOf(']', first + 1);
  if (end === -1) return undefined;
  const ranges: (readonly [string, string])[] = [];
  for (let at = first; at < end; at += 1) {
    const from = text.charAt(at);
    const isRange = text.charAt(at + 1) === '-' && at + 2 < end;
    ranges.push([from, isRange ? text.charAt(at + 2) : from]);
    if (isRange) at += 2;
  }
  return { token: { kind: 'set', isNegated, ranges }, end: end + 1 };
}

/** Two pointers and one place to go back to: a star that has to be longer is the last one only. */
function fits(name: string, tokens: readonly Token[]): boolean {
  let at = 0;
  let token = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const current = tokens[token];
    if (current?.kind === 'star') {
      star = token;
      starAt = at;
      token += 1;
    } else if (current !== undefined && letterFits(name.charAt(at), current)) {
      at += 1;
      token += 1;
    } else if (star === -1) return false;
    else {
      starAt += 1;
      at = starAt;
      token = star + 1;
    }
  }
  return tokens.slice(token).every(({ kind }) => kind === 'star');
}

function letterFits(letter: string, token: Exclude<Token, { kind: 'star' }> | Token): boolean {
  switch (token.kind) {
    case 'star':
    case 'any':
      return true;
    case 'letter':
      return letter === token.letter;
    case 'set':
      return token.ranges.some(([from, to]) => from <= letter && letter <= to) !== token.isNegated;
  }
}

type Step = typeof ANY_FOLDERS | readonly Token[];

function pathFits(path: readonly string[], steps: readonly Step[]): boolean {
  let at = 0;
  let step = 0;
  let star = -1;
  let starAt = 0;
  while (at < path.length) {
    const current = steps[step];
    if (current === ANY_FOLDERS) {
      star = step;
      starAt = at;
      step += 1;
    } else if (current !== undefined && fits(path[at] ?? '', current)) {
      at += 1;
      step += 1;
    } else if (star === -1) return false;
    else {
      starAt += 1;
      at = starAt;
      step = star + 1;
    }
  }
  // `a/**` is what is in `a`, not `a` itself; every other `**` may stand for nothing.
  return step === steps.length || (step === steps.length - 1 && star === step);
}
