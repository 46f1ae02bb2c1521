import { quote } from '@palyra/kernel';
import type { Problem, Rule } from '../model.ts';
import { HOST_CONNECT } from '../request/connection.ts';
import { annotationsOf } from './annotations.ts';
import { misspeltLiterals } from './literal-complaints.ts';
import { MAX_PATTERN, MAX_PROBLEMS, MAX_RULE_LEVELS } from './limits.ts';
import { mixedWord } from './look-alikes.ts';
import type { ParsedRule } from './parse-file.ts';
import { type Complaint, placeIn, problemAt } from './problems.ts';
import { termsOf } from './rule-terms.ts';
import {
  type RuleContents,
  contentsOf,
  contextReads,
  entitiesIn,
  patternsIn,
} from './rule-walk.ts';
import { annotationAt, mentionAt } from './source-pieces.ts';
import { nearest } from './suggestion.ts';

/** The tools that rules may name: each by itself, and whole families by how their names begin. */
export interface KnownTools {
  readonly names: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

export interface CheckedRule {
  readonly rule: Rule;
  readonly problems: readonly Problem[];
}

/** Everything about one rule that Cedar's validator does not look at. */
export function checkRule(parsed: ParsedRule, tools: KnownTools | undefined): CheckedRule {
  const { file, offset, text, json } = parsed;
  const annotations = annotationsOf(json);
  const { id, gate, isHard, complaints } = termsOf(annotations, {
    effect: json.effect,
    layer: file.layer,
  });
  // Of a set of an earlier day nobody asks what was not asked then.
  const isSettled = parsed.isPrepared || tools === undefined;
  const found = [
    ...complaints,
    ...layerComplaints(parsed),
    ...(tools === undefined ? [] : idComplaints(parsed, id)),
    ...(isSettled ? [] : bodyComplaints(parsed, { isGate: gate !== undefined, isHard })),
  ];
  return {
    rule: {
      id,
      layer: file.layer,
      file: file.name,
      line: placeIn(file.text, offset).line,
      effect: json.effect,
      text,
      annotations,
      json,
      isHard,
      ...(gate === undefined ? {} : { gate }),
    },
    problems: [
      ...found.map((complaint) => problemAt(file, offset + placeOf(complaint, text), complaint)),
      // What is shipped names every tool that there can be; a gateway may have fewer.
      ...(tools === undefined || file.layer === 'built-in' ? [] : toolProblems(parsed, tools)),
      ...(isSettled ? [] : literalProblems(parsed)),
    ],
  };
}

/** In the text of its rule. */
function placeOf({ annotation }: Complaint, text: string): number {
  return annotation === undefined ? 0 : annotationAt(text, annotation);
}

function bodyComplaints(
  parsed: ParsedRule,
  { isGate, isHard }: { readonly isGate: boolean; readonly isHard: boolean },
): readonly Complaint[] {
  return [
    ...shapeComplaints(contentsOf(parsed.json)),
    ...patternComplaints(parsed),
    ...(isGate ? approvalComplaints(parsed) : []),
    ...(isHard ? liftComplaints(parsed) : []),
    ...(parsed.json.effect === 'permit' ? permitComplaints(parsed) : []),
  ];
}

function patternComplaints({ json }: ParsedRule): readonly Complaint[] {
  if (patternsIn(json.conditions).every((length) => length <= MAX_PATTERN)) return [];
  return [
    {
      reason: `a pattern of a \`like\` is longer than ${MAX_PATTERN} characters`,
      help: 'compare a shorter part, or the whole with `==`',
    },
  ];
}

/** An approval opens gates. A `permit` that counted on one would turn a new gate into a yes. */
function permitComplaints({ json }: ParsedRule): readonly Complaint[] {
  if (!looksAtAnswers(json)) return [];
  return [
    {
      reason: 'a `permit` looks at `context.approval` or `context.unattended`',
      help: 'permit it, and add a `@gate("approval")` forbid that asks; name what else it needs of `context`',
    },
  ];
}

function looksAtAnswers({ conditions }: ParsedRule['json']): boolean {
  const { attributes, isWhole } = contextReads(conditions);
  return isWhole || attributes.has('approval') || attributes.has('unattended');
}

/** Begins every id of a workspace and no other, so that a workspace cannot take one from people. */
export const WORKSPACE_PREFIX = 'workspace-';

function idComplaints({ file }: ParsedRule, id: string): readonly Complaint[] {
  const isPrefixed = id.startsWith(WORKSPACE_PREFIX);
  if (id === '' || isPrefixed === (file.layer === 'workspace')) return [];
  const reason = isPrefixed
    ? `the id ${quote(id)} begins like those of a workspace`
    : `the id ${quote(id)} of a rule of a workspace does not begin with \`${WORKSPACE_PREFIX}\``;
  const help = `ids begin with \`${WORKSPACE_PREFIX}\` in a workspace, and nowhere else`;
  return [{ annotation: 'id', reason, help }];
}

function layerComplaints({ file, json }: ParsedRule): readonly Complaint[] {
  if (file.layer !== 'workspace') return [];
  const complaints: Complaint[] = [];
  if (json.effect === 'permit') {
    complaints.push({
      reason: 'a workspace may only forbid, and this is a `permit`',
      help: 'move the rule to your own policies',
    });
  }
  if (!isOnlyAboutActs(json.action)) {
    complaints.push({
      reason: 'a workspace may only forbid what is done in it, not what people do with the gateway',
      help: 'say which: `action in Action::"act"`, or `action == Action::"tool.execute"`',
    });
  }
  return complaints;
}

/** Everything that the schema has in its group `act`. */
export const ACTS: ReadonlySet<string> = new Set([
  'act',
  'host.connect',
  'memory.delete',
  'memory.purge',
  'memory.save',
  'memory.search',
  'routine.delete',
  'routine.run',
  'routine.save',
  'skill.execute',
  'tool.execute',
  'tool.unattended',
  'vault.get',
]);

function isOnlyAboutActs(scope: ParsedRule['json']['action']): boolean {
  const actions = entitiesIn(scope);
  return actions.length > 0 && actions.every(({ id }) => ACTS.has(id));
}

function shapeComplaints({ levels, strings, hasUnsafeNumber }: RuleContents): readonly Complaint[] {
  const complaints: Complaint[] = [];
  if (levels > MAX_RULE_LEVELS) {
    complaints.push({
      reason: `the rule is nested deeper than ${MAX_RULE_LEVELS} levels`,
      help: 'put alternatives into a set (`["a", "b"].contains(…)`), or write several rules',
    });
  }
  if (hasUnsafeNumber) {
    complaints.push({
      reason: 'a number in the rule is beyond 9007199254740991',
      help: 'use a smaller one; no value that rules see is that large',
    });
  }
  const mixed = strings.map(mixedWord).find((word) => word !== undefined);
  if (mixed !== undefined) {
    complaints.push({
      reason: `${quote(mixed)} mixes letters of several scripts, which look alike`,
      help: 'type the word again in one script',
    });
  }
  return complaints;
}

/** Without it the gate would stay shut whoever approves. */
function approvalComplaints({ json }: ParsedRule): readonly Complaint[] {
  const actions = entitiesIn(json.action);
  if (actions.length > 0 && actions.every(({ id }) => id === HOST_CONNECT)) return [UNASKED];
  const opens = json.conditions.some(
    ({ kind, body }) => kind === 'unless' && contextReads(body).attributes.has('approval'),
  );
  if (opens) return [];
  return [
    {
      annotation: 'gate',
      reason: 'no approval can lift this gate: its `unless` does not look at `context.approval`',
      help: 'end it with `unless { context has approval && context.approval.count >= 1 }`',
    },
  ];
}

const UNASKED: Complaint = {
  annotation: 'gate',
  reason:
    'nobody is asked while a connection is made, so a gate on `host.connect` alone never asks',
  help: 'ask about the call that names the host: `action == Action::"tool.execute"`, with `context.hosts` in its `when`',
};

function liftComplaints({ json }: ParsedRule): readonly Complaint[] {
  if (!looksAtAnswers(json)) return [];
  return [
    {
      annotation: 'hard',
      reason: 'a `@hard` rule looks at `context.approval` or `context.unattended`',
      help: 'name the attributes of `context` that it needs, and neither of these; nobody may lift it',
    },
  ];
}

function literalProblems({ file, offset, text, json }: ParsedRule): readonly Problem[] {
  return misspeltLiterals(json)
    .slice(0, MAX_PROBLEMS)
    .map(({ complaint, mention }) => problemAt(file, offset + mentionAt(text, mention), complaint));
}

const ASCII_NAME = /^[\x21-\x7e]+$/;

function toolProblems(
  { file, offset, text, json }: ParsedRule,
  tools: KnownTools,
): readonly Problem[] {
  const { entities } = contentsOf(json);
  const names = new Set(entities.filter(({ type }) => type === 'Tool').map(({ id }) => id));
  const unknown = [...names].flatMap((name) => {
    const complaint = toolComplaint(name, tools);
    return complaint === undefined ? [] : [{ name, complaint }];
  });
  return unknown.slice(0, MAX_PROBLEMS).map(({ name, complaint }) => {
    // Where it is written otherwise, with blanks or escapes, the rule itself is near enough.
    const place = Math.max(0, text.indexOf(`Tool::"${name}"`));
    return problemAt(file, offset + place, complaint);
  });
}

function toolComplaint(name: string, { names, prefixes }: KnownTools): Complaint | undefined {
  if (!ASCII_NAME.test(name)) {
    return {
      reason: `${quote(name)} is not a name of a tool: they are plain ASCII`,
      help: 'type it again; a letter of another script may look the same',
    };
  }
  if (names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))) return undefined;
  const meant = nearest(name, names);
  return {
    reason: `there is no tool ${quote(name)}`,
    help: meant === undefined ? 'name one that exists' : `did you mean ${quote(meant)}?`,
  };
}
