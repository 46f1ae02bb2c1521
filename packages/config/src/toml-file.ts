import { isUtf8 } from 'node:buffer';
import { visibleText } from '@palyra/kernel';
import { TomlError, type TomlTable, parse } from 'smol-toml';
import { readLayout } from './toml-layout.ts';

/** A palyra.toml has a few hundred lines; a hostile one must not hold the event loop for long. */
export const MAX_FILE_BYTES = 131_072;
/** Nested lists and inline tables; no key of ours nests deeper than three. */
const MAX_DEPTH = 16;

export type TomlReading =
  | { readonly kind: 'read'; readonly table: TomlTable; lineOf(path: readonly string[]): number }
  | BadToml;

export interface BadToml {
  readonly kind: 'bad';
  readonly line: number;
  readonly reason: string;
}

/** Contract: never throws; whatever is not TOML in UTF-8 is `bad`, with the line. */
export function readToml(bytes: Uint8Array): TomlReading {
  const text = decodeToml(bytes);
  return typeof text === 'string' ? readTomlText(text) : text;
}

export function readTomlText(text: string): TomlReading {
  const table = parseStrictly(text);
  if (table.kind === 'bad') return table;
  let lines: ReadonlyMap<string, number> | undefined;
  return {
    kind: 'read',
    table: table.table,
    lineOf(path) {
      lines ??= linesOf(text);
      return lines.get(lineKey(path)) ?? 1;
    },
  };
}

function parseStrictly(
  text: string,
): { readonly kind: 'parsed'; readonly table: TomlTable } | BadToml {
  try {
    const table = parse(text, {
      maxDepth: MAX_DEPTH,
      // Dates become Temporal values: the lenient ones take 30 February for 1 March.
      useLegacyDate: false,
      unsafeKeyBehaviour: 'throw',
    });
    if (isDeeperThan(table, MAX_DEPTH)) return tooDeep(text);
    return { kind: 'parsed', table };
  } catch (error) {
    if (!(error instanceof TomlError)) {
      return { kind: 'bad', line: 1, reason: 'the file could not be read as TOML' };
    }
    // What is never closed is noticed behind the last line.
    const lastLine = text.trimEnd().split('\n').length;
    return { kind: 'bad', line: Math.min(error.line, lastLine), reason: reasonOf(error) };
  }
}

/** The parser counts brackets; tables also nest by dotted keys and headers. */
function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}

function tooDeep(text: string): BadToml {
  const { headers, assignments } = readLayout(text);
  const deepest = [...headers, ...assignments].find(({ path }) => path.length > MAX_DEPTH);
  const reason = `nested deeper than ${MAX_DEPTH} levels`;
  return { kind: 'bad', line: deepest?.line ?? 1, reason };
}

/** The parser adds the lines around the fault, which may hold a secret; only its sentence is kept. */
function reasonOf(error: TomlError): string {
  const sentence = error.message.split('\n', 1)[0] ?? '';
  return visibleText(sentence.replace(/^Invalid TOML document: /, ''), 'one-line');
}

export function decodeToml(bytes: Uint8Array): string | BadToml {
  if (isUtf8(bytes)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  return { kind: 'bad', line: firstBadLine(bytes), reason: 'the line is not valid UTF-8' };
}

/** Line by line, for no character spans a line break. */
function firstBadLine(bytes: Uint8Array): number {
  let line = 1;
  let start = 0;
  while (start < bytes.length) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    if (!isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
    line += 1;
  }
  return line;
}

function linesOf(text: string): ReadonlyMap<string, number> {
  const { headers, assignments } = readLayout(text);
  const lines = new Map<string, number>();
  for (const { path, line } of [...headers, ...assignments].toSorted((a, b) => a.line - b.line)) {
    // The first mention of each table on the way counts for the table itself.
    for (let length = 1; length <= Math.min(path.length, 3); length += 1) {
      const key = lineKey(path.slice(0, length));
      if (!lines.has(key)) lines.set(key, line);
    }
  }
  return lines;
}

function lineKey(path: readonly string[]): string {
  return path.slice(0, 3).join('\0');
}
