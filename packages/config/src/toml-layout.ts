import { parse } from 'smol-toml';
import { isTomlTable } from './toml-table.ts';

/** `path = value` somewhere in the text, also inside an inline table. Offsets are into the text. */
export interface Assignment {
  readonly path: readonly string[];
  /** `line`: stands on its own · `inline`: inside braces. */
  readonly place: 'line' | 'inline';
  readonly line: number;
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** `[path]` or `[[path]]`. */
export interface Header {
  readonly path: readonly string[];
  readonly line: number;
  readonly end: number;
}

export interface Layout {
  readonly headers: readonly Header[];
  readonly assignments: readonly Assignment[];
}

/**
 * Where everything stands in a TOML text, which the parser does not tell.
 * Contract: the text has been parsed without an error before; of anything else it makes nonsense,
 * though it always ends.
 */
export function readLayout(text: string): Layout {
  return new LayoutReader(text).read();
}

class LayoutReader {
  readonly #text: string;
  #offset = 0;
  #countedTo = 0;
  #line = 1;
  #table: readonly string[] = [];
  readonly #headers: Header[] = [];
  readonly #assignments: Assignment[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): Layout {
    this.#skipVoid();
    while (this.#offset < this.#text.length) {
      if (this.#peek() === '[') this.#readHeader();
      else this.#readAssignment(this.#table, 'line');
      this.#skipVoid();
    }
    return { headers: this.#headers, assignments: this.#assignments };
  }

  #readHeader(): void {
    const line = this.#lineHere();
    const brackets = this.#text.startsWith('[[', this.#offset) ? 2 : 1;
    this.#offset += brackets;
    this.#table = this.#readKey(']');
    this.#offset += brackets;
    this.#headers.push({ path: this.#table, line, end: this.#offset });
  }

  #readAssignment(parent: readonly string[], place: Assignment['place']): void {
    const line = this.#lineHere();
    const start = this.#offset;
    const path = [...parent, ...this.#readKey('=')];
    this.#offset += 1;
    this.#skipBlanks();
    const valueStart = this.#offset;
    // Pushed before the value is read, so that a table stands before what it holds.
    const index = this.#assignments.length;
    this.#assignments.push({ path, place, line, start, valueStart, valueEnd: valueStart });
    this.#skipValue(path);
    const valueEnd = this.#offset;
    this.#assignments[index] = { path, place, line, start, valueStart, valueEnd };
  }

  /** Leaves the offset at `end`. */
  #readKey(end: ']' | '='): readonly string[] {
    const start = this.#offset;
    let isQuoted = false;
    while (this.#offset < this.#text.length && this.#peek() !== end) {
      if (this.#peek() === '"' || this.#peek() === "'") {
        isQuoted = true;
        this.#skipString();
      } else {
        this.#offset += 1;
      }
    }
    const key = this.#text.slice(start, this.#offset).trim();
    return isQuoted ? unquoteKey(key) : key.split('.').map((part) => part.trim());
  }

  #skipValue(path: readonly string[]): void {
    const first = this.#peek();
    if (first === '"' || first === "'") this.#skipString();
    else if (first === '[') this.#skipItems(']', () => this.#skipValue([]));
    else if (first === '{') this.#skipItems('}', () => this.#readMember(path));
    else this.#skipBare();
  }

  #readMember(path: readonly string[]): void {
    // Members of tables inside lists have no path of their own; they are read and not kept.
    const kept = this.#assignments.length;
    this.#readAssignment(path, 'inline');
    if (path.length === 0) this.#assignments.length = kept;
  }

  #skipItems(end: ']' | '}', skipItem: () => void): void {
    this.#offset += 1;
    this.#skipVoid();
    while (this.#offset < this.#text.length && this.#peek() !== end) {
      const before = this.#offset;
      skipItem();
      this.#skipVoid();
      if (this.#peek() === ',') this.#offset += 1;
      if (this.#offset === before) this.#offset += 1;
      this.#skipVoid();
    }
    this.#offset += 1;
  }

  #skipString(): void {
    const quote = this.#peek();
    const fence = this.#text.startsWith(quote.repeat(3), this.#offset) ? quote.repeat(3) : quote;
    this.#offset += fence.length;
    while (this.#offset < this.#text.length && !this.#text.startsWith(fence, this.#offset)) {
      this.#offset += quote === '"' && this.#peek() === '\\' ? 2 : 1;
    }
    this.#offset += fence.length;
    // A multi-line string may end in up to two quotes of its own.
    if (fence.length === 3) while (this.#peek() === quote) this.#offset += 1;
  }

  #skipBare(): void {
    const start = this.#offset;
    while (this.#offset < this.#text.length && !',]}#\r\n'.includes(this.#peek())) {
      this.#offset += 1;
    }
    this.#offset = start + this.#text.slice(start, this.#offset).trimEnd().length;
  }

  #skipBlanks(): void {
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#offset += 1;
  }

  #skipVoid(): void {
    while (this.#offset < this.#text.length) {
      if (this.#peek() === '#') this.#skipComment();
      else if (' \t\r\n\uFEFF'.includes(this.#peek())) this.#offset += 1;
      else return;
    }
  }

  #skipComment(): void {
    const end = this.#text.indexOf('\n', this.#offset);
    this.#offset = end === -1 ? this.#text.length : end;
  }

  #peek(): string {
    return this.#text.charAt(this.#offset);
  }

  #lineHere(): number {
    for (; this.#countedTo < this.#offset; this.#countedTo += 1) {
      if (this.#text.charAt(this.#countedTo) === '\n') this.#line += 1;
    }
    return this.#line;
  }
}

/** Escapes in a quoted key are the parser's business. */
function unquoteKey(key: string): readonly string[] {
  const path: string[] = [];
  let rest: unknown = parse(`${key} = 0`);
  while (isTomlTable(rest)) {
    const name = Object.keys(rest)[0] ?? '';
    path.push(name);
    rest = rest[name];
  }
  return path;
}
