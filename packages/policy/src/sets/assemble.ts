import type { SchemaJson } from '@cedar-policy/cedar-wasm/nodejs';
import { quote } from '@palyra/kernel';
import {
  type Compiled,
  LAYERS,
  type ModeInForce,
  type PolicyFile,
  type Problem,
} from '../model.ts';
import { SCHEMA_TEXT } from './built-in.ts';
import { type CheckedRule, type KnownTools, checkRule } from './check-rule.ts';
import { MAX_PROBLEMS, MAX_RULES, MAX_SET_BYTES } from './limits.ts';
import type { ParsedFile, ParsedRule } from './parse-file.ts';
import { problemAt, problemOf } from './problems.ts';
import { inOrder, setHash } from './set-hash.ts';

export interface CompileOptions {
  readonly mode: ModeInForce;
  /** Absent for a set of an earlier day: what it names may be gone, and that is no mistake of it. */
  readonly tools?: KnownTools;
  /** The text of the schema; the built-in one unless stated. */
  readonly schema?: string;
}

/** What Cedar has to say about files: it reads them, and holds them against the schema. */
export interface CedarReading {
  readonly schema: SchemaJson<string>;
  /** The rules of all files, in their order. */
  readonly files: readonly ParsedFile[];
  readonly problems: readonly Problem[];
}

/**
 * Turns the files of all layers, built-in ones included, into a set; `read` is asked only when
 * their bounds allow it. Contract: never throws for anything in a file.
 */
export function assemble(
  files: readonly PolicyFile[],
  { mode, tools, schema = SCHEMA_TEXT }: CompileOptions,
  read: (files: readonly PolicyFile[], schema: string) => CedarReading,
): Compiled {
  const sorted = inOrder(files);
  const outer = setProblems(sorted);
  if (outer.length > 0) return refused(outer);
  const reading = read(sorted, schema);
  const parsed = reading.files.flatMap(({ rules }) => rules);
  const [tooMany] = parsed.slice(MAX_RULES);
  if (tooMany !== undefined) return refused([oneRuleTooMany(tooMany)]);
  const checked = parsed.map((rule) => checkRule(rule, tools));
  const problems = [
    ...reading.files.flatMap((file) => file.problems),
    ...reading.problems,
    ...checked.flatMap((rule) => rule.problems),
    ...duplicates(parsed, checked),
  ];
  if (problems.length > 0) return refused(problems);
  const rules = checked.map(({ rule }) => rule);
  const hash = setHash({ mode, schema, files: sorted });
  return { kind: 'compiled', set: { hash, mode, files: sorted, rules, schema: reading.schema } };
}

function refused(problems: readonly Problem[]): Compiled {
  const sorted = problems.toSorted(
    (a, b) =>
      LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer) ||
      a.file.localeCompare(b.file, 'en') ||
      a.line - b.line ||
      a.column - b.column,
  );
  return { kind: 'refused', problems: sorted.slice(0, MAX_PROBLEMS) };
}

function setProblems(files: readonly PolicyFile[]): readonly Problem[] {
  const problems: Problem[] = [];
  let bytes = 0;
  for (const [index, file] of files.entries()) {
    const before = files[index - 1];
    if (before?.layer === file.layer && before.name === file.name) {
      problems.push(problemOf(file, { reason: 'it is there twice', help: 'rename one of them' }));
    }
    bytes += Buffer.byteLength(file.text);
    if (bytes > MAX_SET_BYTES) {
      problems.push(problemOf(file, TOO_LONG));
      break;
    }
  }
  return problems;
}

const TOO_LONG = {
  reason: `with it the rules of all layers are longer than ${MAX_SET_BYTES} bytes`,
  help: 'remove rules that are not needed',
};

function oneRuleTooMany({ file, offset }: ParsedRule): Problem {
  return problemAt(file, offset, {
    reason: `the layers hold more than ${MAX_RULES} rules together`,
    help: 'remove rules that are not needed',
  });
}

function duplicates(
  parsed: readonly ParsedRule[],
  checked: readonly CheckedRule[],
): readonly Problem[] {
  const first = new Map<string, CheckedRule>();
  return parsed.flatMap(({ file, offset }, index) => {
    const rule = checked[index];
    if (rule === undefined || rule.rule.id === '') return [];
    const { id } = rule.rule;
    const earlier = first.get(id);
    if (earlier === undefined) {
      first.set(id, rule);
      return [];
    }
    const { layer, file: name, line } = earlier.rule;
    return [
      problemAt(file, offset, {
        reason: `the id ${quote(id)} is taken by line ${line} of ${quote(name)} (${layer})`,
        help: 'give it another; ids are unique over all layers',
      }),
    ];
  });
}
