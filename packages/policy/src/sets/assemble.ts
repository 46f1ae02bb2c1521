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
import {
  MAX_PATTERNS,
  MAX_PROBLEMS,
  MAX_RULES,
  MAX_SET_BYTES,
  MAX_WORKSPACE_BYTES,
  MAX_WORKSPACE_FILES,
  MAX_WORKSPACE_PATTERNS,
  MAX_WORKSPACE_RULES,
} from './limits.ts';
import { modeRuleIds } from './mode-rule-ids.ts';
import type { ParsedFile, ParsedRule } from './parse-file.ts';
import { problemAt, problemOf } from './problems.ts';
import { patternsIn } from './rule-walk.ts';
import { inOrder, setHash } from './set-hash.ts';
import { annotationAt } from './source-pieces.ts';

export interface CompileOptions {
  readonly mode: ModeInForce;
  /**
   * Absent for a set of an earlier day: what it names may be gone, and what is asked of ids and of a
   * workspace today was not asked then; that is no mistake of it.
   */
  readonly tools?: KnownTools;
  /** The text of the schema; the built-in one unless stated. */
  readonly schema?: string;
}

/** What Cedar has to say about files: it reads them, and holds them against the schema. */
export interface CedarReading {
  readonly schema: SchemaJson<string>;
  /** The rules of all files, in their order. */
  readonly files: readonly ParsedFile[];
  /** Contract: called at most once, and only when there are not too many rules. */
  validate(): readonly Problem[];
  /** Whether Cedar has broken at one of them, so far. */
  hasBroken(): boolean;
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
  const isOfToday = tools !== undefined;
  const outer = [
    ...twice(sorted),
    ...tooLong(sorted.filter(isOfPeople), MAX_SET_BYTES),
    ...(isOfToday ? workspaceProblems(sorted.filter(isOfWorkspace)) : []),
  ];
  if (outer.length > 0) return refused(outer);
  const reading = read(sorted, schema);
  const parsed = reading.files.flatMap(({ rules }) => rules);
  const excess = tooManyRules(parsed, isOfToday ? MAX_WORKSPACE_RULES : MAX_RULES);
  if (excess.length > 0) return refused(excess, reading);
  const checked = parsed.map((rule) => checkRule(rule, tools));
  const problems = [
    ...reading.files.flatMap((file) => file.problems),
    ...reading.validate(),
    ...checked.flatMap((rule) => rule.problems),
    ...duplicates(parsed, checked),
    ...(isOfToday ? reserved(parsed, checked) : []),
    ...(isOfToday ? tooManyPatterns(parsed) : []),
  ];
  if (problems.length > 0) return refused(problems, reading);
  const rules = checked.map(({ rule }) => rule);
  const hash = setHash({ mode, schema, files: sorted });
  return { kind: 'compiled', set: { hash, mode, files: sorted, rules, schema: reading.schema } };
}

function refused(problems: readonly Problem[], reading?: CedarReading): Compiled {
  const sorted = problems.toSorted(
    (a, b) =>
      LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer) ||
      a.file.localeCompare(b.file, 'en') ||
      a.line - b.line ||
      a.column - b.column,
  );
  const broken = reading?.hasBroken() === true ? { hasBroken: true as const } : {};
  return { kind: 'refused', problems: sorted.slice(0, MAX_PROBLEMS), ...broken };
}

function isOfWorkspace({ layer }: Pick<PolicyFile, 'layer'>): boolean {
  return layer === 'workspace';
}

function isOfPeople({ layer }: Pick<PolicyFile, 'layer'>): boolean {
  return layer !== 'workspace';
}

function twice(files: readonly PolicyFile[]): readonly Problem[] {
  return files.flatMap((file, index) => {
    const before = files[index - 1];
    if (before?.layer !== file.layer || before.name !== file.name) return [];
    return [problemOf(file, { reason: 'it is there twice', help: 'rename one of them' })];
  });
}

/** Names the first with which it is too much. */
function tooLong(files: readonly PolicyFile[], limitBytes: number): readonly Problem[] {
  let bytes = 0;
  const beyond = files.find(({ text }) => (bytes += Buffer.byteLength(text)) > limitBytes);
  if (beyond === undefined) return [];
  const whose = isOfWorkspace(beyond) ? 'the workspace' : 'all layers';
  return [
    problemOf(beyond, {
      reason: `with it the rules of ${whose} are longer than ${limitBytes} bytes`,
      help: 'remove rules that are not needed',
    }),
  ];
}

function workspaceProblems(files: readonly PolicyFile[]): readonly Problem[] {
  const beyond = files.slice(MAX_WORKSPACE_FILES, MAX_WORKSPACE_FILES + 1).map((file) =>
    problemOf(file, {
      reason: `a workspace may have ${MAX_WORKSPACE_FILES} files of rules, and there are more`,
      help: 'put several rules into one file',
    }),
  );
  return [...beyond, ...tooLong(files, MAX_WORKSPACE_BYTES)];
}

function tooManyRules(parsed: readonly ParsedRule[], ofWorkspace: number): readonly Problem[] {
  const people = parsed.filter(({ file }) => isOfPeople(file)).slice(MAX_RULES, MAX_RULES + 1);
  const workspace = parsed.filter(({ file }) => isOfWorkspace(file));
  return [
    ...people.map((rule) => oneTooMany(rule, `the layers hold more than ${MAX_RULES} rules`)),
    ...workspace
      .slice(ofWorkspace, ofWorkspace + 1)
      .map((rule) => oneTooMany(rule, `the workspace holds more than ${ofWorkspace} rules`)),
  ];
}

/** Names the first rule with which it is too much. */
function tooManyPatterns(parsed: readonly ParsedRule[]): readonly Problem[] {
  const beyond = (rules: readonly ParsedRule[], limit: number) => {
    let characters = 0;
    return rules.find(({ json }) => {
      for (const length of patternsIn(json.conditions)) characters += length;
      return characters > limit;
    });
  };
  const people = parsed.filter(({ file }) => isOfPeople(file));
  const workspace = parsed.filter(({ file }) => isOfWorkspace(file));
  return [
    { rule: beyond(people, MAX_PATTERNS), limit: MAX_PATTERNS },
    { rule: beyond(workspace, MAX_WORKSPACE_PATTERNS), limit: MAX_WORKSPACE_PATTERNS },
  ].flatMap(({ rule, limit }) =>
    rule === undefined
      ? []
      : [oneTooMany(rule, `patterns of \`like\` are longer than ${limit} characters`)],
  );
}

function oneTooMany({ file, offset }: ParsedRule, what: string): Problem {
  return problemAt(file, offset, {
    reason: `${what} together`,
    help: 'remove rules that are not needed',
  });
}

/** Ids of rules of modes that are not in force: with the mode people's rules must still be good. */
function reserved(
  parsed: readonly ParsedRule[],
  checked: readonly CheckedRule[],
): readonly Problem[] {
  if (parsed.every(({ file }) => file.layer === 'built-in')) return [];
  // Those of the mode in force are there, and told as taken.
  const present = new Set(
    checked.filter(({ rule }) => rule.layer === 'built-in').map(({ rule }) => rule.id),
  );
  const ids = modeRuleIds().difference(present);
  return parsed.flatMap(({ file, offset, text }, index) => {
    const id = checked[index]?.rule.id ?? '';
    if (file.layer === 'built-in' || !ids.has(id)) return [];
    return [
      problemAt(file, offset + annotationAt(text, 'id'), {
        reason: `the id ${quote(id)} is that of a rule of a mode`,
        help: 'give it another; a mode can be chosen at any time',
      }),
    ];
  });
}

function duplicates(
  parsed: readonly ParsedRule[],
  checked: readonly CheckedRule[],
): readonly Problem[] {
  const first = new Map<string, CheckedRule>();
  return parsed.flatMap(({ file, offset, text }, index) => {
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
      problemAt(file, offset + annotationAt(text, 'id'), {
        reason: `the id ${quote(id)} is taken by line ${line} of ${quote(name)} (${layer})`,
        help: 'give it another; ids are unique over all layers',
      }),
    ];
  });
}
