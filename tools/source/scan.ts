/** A piece of source that is not code: what it says and where it starts. */
export interface Piece {
  readonly text: string;
  readonly start: number;
}

export interface Scan {
  /** The source with comments, patterns and the insides of strings blanked; positions stay the same. */
  readonly code: string;
  readonly strings: readonly Piece[];
  readonly comments: readonly Piece[];
}

interface Reader {
  readonly source: string;
  readonly code: string[];
  readonly strings: Piece[];
  readonly comments: Piece[];
}

const LINE_COMMENT = /\/\/[^\n]*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/y;
// A quote that is not closed on its line ends there, so prose in markup cannot swallow a file.
const QUOTED = /'(?:\\[\s\S]|[^'\\\n])*'?|"(?:\\[\s\S]|[^"\\\n])*"?/y;
const PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
const TEMPLATE_TEXT = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y;
// After one of these a slash starts a pattern; after a name, a number or a bracket it divides.
const BEFORE_PATTERN =
  /(?:^|[=(,:;!&|?{}[<>+\-*%~^]|\b(?:return|typeof|case|in|of|void|delete|throw|await))\s*$/;

/** Contract: never throws; source that is not TypeScript gives a poor scan, not an error. */
export function scan(source: string): Scan {
  const reader: Reader = { source, code: source.split(''), strings: [], comments: [] };
  readCode(reader, 0, 'file');
  return { code: reader.code.join(''), strings: reader.strings, comments: reader.comments };
}

/** Reads up to the end of the file, or to the brace that closes a template's expression. */
function readCode(reader: Reader, from: number, inside: 'file' | 'template'): number {
  let at = from;
  let depth = 0;
  while (at < reader.source.length) {
    const next = readPiece(reader, at);
    if (next > at) {
      at = next;
      continue;
    }
    const character = reader.source[at];
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    at += 1;
    if (inside === 'template' && depth < 0) return at;
  }
  return at;
}

/** The position behind the piece that starts at `at`, or `at` itself where code goes on. */
function readPiece(reader: Reader, at: number): number {
  const character = reader.source[at];
  if (character === '`') return readTemplate(reader, at);
  if (character === "'" || character === '"') return readString(reader, at);
  return character === '/' ? readSlash(reader, at) : at;
}

function readString(reader: Reader, at: number): number {
  const text = match(QUOTED, reader.source, at);
  reader.strings.push({ text: text.slice(1, -1), start: at });
  return blank(reader, at + 1, at + text.length - 1) + 1;
}

function readSlash(reader: Reader, at: number): number {
  const comment = match(LINE_COMMENT, reader.source, at) || match(BLOCK_COMMENT, reader.source, at);
  if (comment !== '') {
    reader.comments.push({ text: comment, start: at });
    return blank(reader, at, at + comment.length);
  }
  const before = reader.code.slice(Math.max(0, at - 40), at).join('');
  if (!BEFORE_PATTERN.test(before)) return at;
  return blank(reader, at, at + match(PATTERN, reader.source, at).length);
}

function readTemplate(reader: Reader, from: number): number {
  let at = from + 1;
  let text = '';
  while (at < reader.source.length) {
    const plain = match(TEMPLATE_TEXT, reader.source, at);
    text += plain;
    at = blank(reader, at, at + plain.length);
    if (reader.source[at] !== '$') break;
    text += '${}';
    at = readCode(reader, at + 2, 'template');
  }
  reader.strings.push({ text, start: from });
  return at + 1;
}

function match(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? '';
}

function blank(reader: Reader, from: number, to: number): number {
  for (let at = from; at < to; at += 1) {
    if (reader.code[at] !== '\n') reader.code[at] = ' ';
  }
  return to;
}
