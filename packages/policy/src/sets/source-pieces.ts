/** What one semicolon ends, with the comments before it; the last may end without one. */
export interface Piece {
  /** In UTF-16 units, of the file. */
  readonly start: number;
  readonly text: string;
  /** The same, as long, with blanks for comments and for what strings say. */
  readonly code: string;
}

/**
 * Cuts a file where rules end, so that each is parsed by itself and every mistake is found.
 * Contract: the pieces put together are the file: nothing in it escapes the parser.
 */
export function piecesOf(text: string): readonly Piece[] {
  const code = withoutStringsAndComments(text);
  const pieces: Piece[] = [];
  let start = 0;
  while (start < text.length) {
    const semicolon = code.indexOf(';', start);
    const end = semicolon === -1 ? text.length : semicolon + 1;
    pieces.push({ start, text: text.slice(start, end), code: code.slice(start, end) });
    start = end;
  }
  return pieces;
}

/** Contract: looks at each character once or twice, whatever stands in the text. */
function withoutStringsAndComments(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of stringsAndComments(text)) {
    parts.push(text.slice(at, start), blanks(text.slice(start, end)));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

function* stringsAndComments(text: string): Generator<Stretch> {
  let at = 0;
  for (let start = nextStart(text, at); start < text.length; start = nextStart(text, at)) {
    at = text[start] === '"' ? endOfString(text, start) : endOfLine(text, start);
    yield { start, end: at };
  }
}

function nextStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"' && !text.startsWith('//', at)) at += 1;
  return at;
}

/** One that never ends takes the rest of the file with it; Cedar will say so. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function blanks(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

export interface Complexity {
  /** How many brackets stand in one another. */
  readonly brackets: number;
  /** Everything that can put one expression into another, brackets included. */
  readonly operators: number;
}

const OPERATOR = /&&|\|\||[=!<>]=|[-+*/%.!<>[({]|\b(?:if|has|like|in|is|when|unless)\b/g;

export function complexityOf({ code }: Piece): Complexity {
  let open = 0;
  let brackets = 0;
  for (const [bracket] of code.matchAll(/[([{}\])]/g)) {
    open += '([{'.includes(bracket) ? 1 : -1;
    brackets = Math.max(brackets, open);
  }
  const nestedIfs = code.match(/\bif\b/g)?.length ?? 0;
  return {
    brackets: Math.max(brackets, nestedIfs),
    operators: code.match(OPERATOR)?.length ?? 0,
  };
}

/** Where the rule itself begins, in the file. */
export function firstCode({ start, code }: Piece): number {
  return start + Math.max(0, code.search(/\S/));
}

/** Where an annotation stands in a rule; its beginning for one that is not found. */
export function annotationAt(rule: string, name: string): number {
  const code = withoutStringsAndComments(rule);
  for (const { index, 1: found } of code.matchAll(/@\s*(\w+)/g)) {
    if (found === name) return index;
  }
  return 0;
}

/** Something that stands in a rule, as the rule has it: quotes are part of a string. */
export interface Mention {
  readonly source: string;
  /** How many of the same stand before it, annotations aside. */
  readonly before: number;
}

/** Where it stands in a rule; its beginning for what is not found, as when it is written with escapes. */
export function mentionAt(rule: string, { source, before }: Mention): number {
  const code = withoutStringsAndComments(rule);
  const head = Math.max(0, code.search(/\b(?:permit|forbid)\b/));
  const places = source.startsWith('"') ? stringsIn(rule, source) : numbersIn(code, source);
  const after = places.filter((place) => place > head);
  return after[before] ?? after[0] ?? 0;
}

function stringsIn(rule: string, source: string): readonly number[] {
  return Array.from(stringsAndComments(rule))
    .filter(({ start, end }) => rule.slice(start, end) === source)
    .map(({ start }) => start);
}

function numbersIn(code: string, source: string): readonly number[] {
  return Array.from(code.matchAll(/-?\b\d+\b/g))
    .filter(([number]) => number === source)
    .map(({ index }) => index);
}
