import { visibleText } from '@palyra/kernel';
import { TomlError, parse } from 'smol-toml';
import * as z from 'zod';
import { MODES, type Mode } from '../model.ts';
import { type PolicyCase, policyCaseSchema } from './policy-case.ts';

export const CASE_FILE_SUFFIX = '.policytest.toml';
export const MAX_CASE_FILE_BYTES = 1_048_576;
const MAX_CASES = 10_000;
const MAX_DEPTH = 16;

/** A file of cases. */
export interface CaseFile {
  /** The mode that the cases are meant for; absent: whichever is in force. */
  readonly mode?: Mode;
  readonly cases: readonly LocatedCase[];
}

export interface LocatedCase extends PolicyCase {
  readonly file: string;
  readonly line: number;
  /** Where each of its names stands; where the case begins for one that it leaves out. */
  readonly lines: Readonly<Record<NameKey, number>>;
}

/** Keys whose values have to exist. */
export type NameKey = 'principal' | 'agent' | 'tool';

export interface CaseProblem {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export type ParsedCases =
  | { readonly kind: 'parsed'; readonly file: CaseFile }
  | { readonly kind: 'refused'; readonly problems: readonly CaseProblem[] };

/** Contract: never throws; a file with any problem gives no cases. */
export function parseCases(text: string, file: string): ParsedCases {
  if (Buffer.byteLength(text) > MAX_CASE_FILE_BYTES) {
    const reason = `larger than ${MAX_CASE_FILE_BYTES} bytes`;
    return { kind: 'refused', problems: [{ file, line: 1, reason }] };
  }
  const toml = readToml(text);
  if (toml.kind === 'bad') {
    return { kind: 'refused', problems: [{ file, line: toml.line, reason: toml.reason }] };
  }
  const read = caseFileSchema.safeParse(toml.table);
  const lines = new CaseLines(text);
  if (!read.success) {
    return { kind: 'refused', problems: problemsOf(read.error, { file, lines }) };
  }
  const cases = read.data.case.map((each, index) => ({
    ...each,
    file,
    line: lines.of(index),
    lines: {
      principal: lines.of(index, 'principal'),
      agent: lines.of(index, 'agent'),
      tool: lines.of(index, 'tool'),
    },
  }));
  const { mode } = read.data;
  return { kind: 'parsed', file: mode === undefined ? { cases } : { mode, cases } };
}

const caseFileSchema = z.strictObject({
  mode: z.enum(MODES).optional(),
  case: z.array(policyCaseSchema).min(1).max(MAX_CASES),
});

type Toml =
  | { readonly kind: 'read'; readonly table: unknown }
  | { readonly kind: 'bad'; readonly line: number; readonly reason: string };

function readToml(text: string): Toml {
  try {
    const table = parse(text, {
      maxDepth: MAX_DEPTH,
      useLegacyDate: false,
      unsafeKeyBehaviour: 'throw',
    });
    return { kind: 'read', table };
  } catch (error) {
    if (!(error instanceof TomlError)) return { kind: 'bad', line: 1, reason: 'not valid TOML' };
    const sentence = error.message.split('\n', 1)[0] ?? '';
    return {
      kind: 'bad',
      line: Math.min(error.line, text.trimEnd().split('\n').length),
      reason: visibleText(sentence.replace(/^Invalid TOML document: /u, ''), 'one-line'),
    };
  }
}

interface Located {
  readonly file: string;
  readonly lines: CaseLines;
}

function problemsOf(error: z.ZodError, { file, lines }: Located): readonly CaseProblem[] {
  return error.issues.map(({ path, message, ...issue }) => {
    const unknownKey = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.at(0) : undefined;
    const [top, index, ...keys] = path;
    const isOfCase = top === 'case' && typeof index === 'number';
    const words = isOfCase ? [...keys, unknownKey] : [top, unknownKey];
    const key = words.filter((word) => word !== undefined).map(String);
    return {
      file,
      line: isOfCase ? lines.of(index, key.at(0)) : lines.ofTop(key.at(0)),
      reason: visibleText(reasonFor(key, { unknownKey, message }), 'one-line'),
    };
  });
}

function reasonFor(
  key: readonly string[],
  { unknownKey, message }: { readonly unknownKey: unknown; readonly message: string },
): string {
  const name = `\`${key.join('.')}\``;
  if (unknownKey !== undefined) return `unknown key ${name}`;
  const sentence = message.charAt(0).toLowerCase() + message.slice(1);
  return key.length === 0 ? sentence : `${name}: ${sentence}`;
}

/** Where cases begin. Cases written as an inline list have no lines of their own: line 1. */
class CaseLines {
  readonly #lines: readonly string[];
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#lines = text.split('\n');
    this.#starts = this.#lines.flatMap((line, at) => (CASE_HEADER.test(line) ? [at] : []));
  }

  of(index: number, key?: string): number {
    const start = this.#starts[index];
    if (start === undefined) return 1;
    const end = this.#starts[index + 1] ?? this.#lines.length;
    return (key === undefined ? undefined : this.#find(key, start, end)) ?? start + 1;
  }

  ofTop(key?: string): number {
    const end = this.#starts[0] ?? this.#lines.length;
    return (key === undefined ? undefined : this.#find(key, 0, end)) ?? 1;
  }

  #find(key: string, start: number, end: number): number | undefined {
    const at = this.#lines.slice(start, end).findIndex((line) => wordsBefore(line).includes(key));
    return at === -1 ? undefined : start + at + 1;
  }
}

const CASE_HEADER = /^\s*\[\[\s*case\s*\]\]/u;

/** The keys that a line sets: `facts.reads = […]`, `[case.facts]`. */
function wordsBefore(line: string): readonly string[] {
  const head = line.split('=', 1)[0] ?? '';
  return head.split(/[\s.[\]"']+/u);
}
