import { isDeepStrictEqual } from 'node:util';
import { PalyraError } from '@palyra/kernel';
import type { TomlTable } from 'smol-toml';
import { noSuchKey } from './inspect.ts';
import { type KeyDeclaration, type Sections, declareKeys } from './sections.ts';
import { helpForValue, judgeValue } from './setting.ts';
import { readTomlText } from './toml-file.ts';
import { type Assignment, type Layout, readLayout } from './toml-layout.ts';
import { isTomlTable } from './toml-table.ts';
import { readValueText } from './value-text.ts';

/** What `palyra config set KEY VALUE` asks for. */
export interface Edit {
  readonly key: string;
  readonly value: string;
}

/**
 * The text of a file with one key changed; comments and layout stay as they are.
 * Contract: throws for an unknown key, a value that the key does not take, a text that is not TOML,
 * and a layout in which the change would touch anything else.
 */
export function setValue(sections: Sections, fileText: string, edit: Edit): string {
  const declarations = declareKeys(sections);
  const declaration = declarations.get(edit.key);
  if (declaration === undefined) throw noSuchKey(edit.key, declarations.keys());
  const { literal, value } = readEdit(declaration, edit.value);
  const before = parseOrRefuse(fileText);
  const text = place(fileText, declaration, literal);
  const after = readTomlText(text);
  if (after.kind === 'bad' || !onlyChanges(declaration, { before, after: after.table, value })) {
    throw new PalyraError('CONFIG_INVALID', `\`${edit.key}\` cannot be set without touching more`, {
      help: 'change the file with an editor',
    });
  }
  return text;
}

function readEdit(declaration: KeyDeclaration, text: string): { literal: string; value: unknown } {
  const reading = readValueText(declaration, text);
  if (reading.kind === 'bad') throw badValue(declaration, `cannot be read: ${reading.reason}`);
  const judged = judgeValue(declaration, reading.value);
  if (judged.kind === 'bad') throw badValue(declaration, judged.reason);
  return reading;
}

/** No problem of the configuration: the value is in no layer yet. */
function badValue({ path }: KeyDeclaration, reason: string): PalyraError {
  return new PalyraError('CONFIG_INVALID', `\`${path}\` ${reason}`, { help: helpForValue(path) });
}

function parseOrRefuse(text: string): TomlTable {
  const reading = readTomlText(text);
  if (reading.kind === 'read') return reading.table;
  const message = `line ${reading.line} of the file is not valid TOML: ${reading.reason}`;
  throw new PalyraError('CONFIG_INVALID', message, { help: 'correct that line first' });
}

function place(text: string, declaration: KeyDeclaration, literal: string): string {
  const { section, key } = declaration;
  const layout = readLayout(text);
  const existing = layout.assignments.find(({ path }) => isPath(path, [section, key]));
  if (existing !== undefined) return splice(text, existing, literal);

  const braces = layout.assignments.find(({ path }) => isPath(path, [section]));
  if (braces !== undefined) return insertInBraces(text, braces, `${key} = ${literal}`);

  const header = layout.headers.find(({ path }) => isPath(path, [section]));
  if (header !== undefined) {
    return insertLine(text, endOfTable(layout, header.end), `${key} = ${literal}`);
  }
  const dotted = lastDottedAtRoot(layout, section);
  if (dotted !== undefined) {
    return insertLine(text, dotted.valueEnd, `${section}.${key} = ${literal}`);
  }
  return appendSection(text, section, `${key} = ${literal}`);
}

function splice(text: string, { valueStart, valueEnd }: Assignment, literal: string): string {
  return text.slice(0, valueStart) + literal + text.slice(valueEnd);
}

function insertInBraces(text: string, braces: Assignment, assignment: string): string {
  const inside = text.slice(braces.valueStart + 1, braces.valueEnd - 1);
  const rest = inside.trim() === '' ? ' ' : `,${inside.startsWith(' ') ? '' : ' '}${inside}`;
  return splice(text, braces, `{ ${assignment}${rest}}`);
}

/** The end of the last value below a header, or of the header when it has none. */
function endOfTable({ headers, assignments }: Layout, headerEnd: number): number {
  const next = headers.find(({ end }) => end > headerEnd)?.end ?? Infinity;
  const last = assignments.findLast(
    ({ place: where, start }) => where === 'line' && start > headerEnd && start < next,
  );
  return last?.valueEnd ?? headerEnd;
}

/** A section that exists by dotted keys above the first header cannot be opened by a header again. */
function lastDottedAtRoot(
  { headers, assignments }: Layout,
  section: string,
): Assignment | undefined {
  const firstHeader = headers[0]?.end ?? Infinity;
  return assignments.findLast(
    ({ place: where, path, start }) =>
      where === 'line' && path[0] === section && start < firstHeader,
  );
}

function insertLine(text: string, offset: number, line: string): string {
  const newline = newlineOf(text);
  const endOfLine = text.indexOf('\n', offset);
  if (endOfLine === -1) return `${text}${newline}${line}${newline}`;
  return `${text.slice(0, endOfLine + 1)}${line}${newline}${text.slice(endOfLine + 1)}`;
}

function appendSection(text: string, section: string, line: string): string {
  const newline = newlineOf(text);
  const block = `[${section}]${newline}${line}${newline}`;
  if (text.trim() === '') return `${text}${block}`;
  return `${text}${text.endsWith('\n') ? '' : newline}${newline}${block}`;
}

function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function isPath(path: readonly string[], wanted: readonly string[]): boolean {
  return path.length === wanted.length && path.every((part, index) => part === wanted[index]);
}

interface Tables {
  readonly before: TomlTable;
  readonly after: TomlTable;
  readonly value: unknown;
}

function onlyChanges({ section, key }: KeyDeclaration, tables: Tables): boolean {
  const { before, after, value } = tables;
  const now = after[section];
  if (!isSameExcept(before, after, section) || !isTomlTable(now)) return false;
  if (!isDeepStrictEqual(now[key], value)) return false;
  const then = before[section];
  // A value that stood in the place of the section would be lost: that is no table either.
  return then === undefined
    ? isSameExcept({}, now, key)
    : isTomlTable(then) && isSameExcept(then, now, key);
}

function isSameExcept(before: TomlTable, after: TomlTable, changed: string): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  names.delete(changed);
  return [...names].every((name) => isDeepStrictEqual(before[name], after[name]));
}
