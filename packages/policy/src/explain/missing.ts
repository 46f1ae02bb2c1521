import { type Json, isJsonObject, quote } from '@palyra/kernel';
import { DecisionKind } from '@palyra/protocol';
import type { PolicyDecision, PolicyRequest, Rule } from '../model.ts';
import { entityText, valueText } from './cedar-text.ts';
import { type Conjunct, looksAt } from './conjuncts.ts';
import { attributeOf, fieldAt } from './facts.ts';
import { type NearPermit, isApplying } from './near-permits.ts';
import type { Offer } from './smallest-rule.ts';
import { approversIn, principalName, ruleAt, saying, whatIs, whoAsks } from './words.ts';
import type { Workbench } from './workbench.ts';

export const MAX_MISSING = 20;

interface Asked {
  readonly workbench: Workbench;
  readonly near: readonly NearPermit[];
  readonly decision: PolicyDecision;
  /** Without secrets: the only one whose values are shown. */
  readonly shown: PolicyRequest;
  readonly offer: Offer;
}

/** What would have had to be otherwise, in words; nothing when the evaluation itself failed. */
export function missingFrom(asked: Asked): readonly string[] {
  const { decision } = asked;
  if (decision.kind === DecisionKind.ALLOW || decision.errors.length > 0) return [];
  const isWaiting = decision.kind === DecisionKind.NEEDS_APPROVAL;
  const lines = isWaiting ? decision.gates.map(wantsApproval) : missingFromDenied(asked);
  return lines.slice(0, MAX_MISSING);
}

function missingFromDenied(asked: Asked): readonly string[] {
  const forbids = asked.decision.rules.filter((rule) => rule.effect === 'forbid');
  return [
    ...forbids.map((rule) => (rule.gate === undefined ? forbidsIt(rule) : wantsApproval(rule))),
    ...missingPermit(asked),
  ];
}

function forbidsIt(rule: Rule): string {
  return `${ruleAt(rule)} forbids it${saying(rule)}`;
}

function wantsApproval(rule: Rule): string {
  const who = rule.gate === undefined ? 'somebody' : approversIn(rule.gate);
  return `${ruleAt(rule)} wants it approved by ${who}${saying(rule)}`;
}

function missingPermit({ workbench, near, shown, offer }: Asked): readonly string[] {
  if (offer.kind === 'unknown-tool')
    return [`there is no tool ${whatIs(shown)} here for a rule to name`];
  if (near.some(isApplying)) return [];
  const lines = near.flatMap((permit) => linesFor(permit, { workbench, shown }));
  return lines.length > 0 ? lines : [`no rule lists ${whatIs(shown)} ${whoAsks(shown)}`];
}

type Words = Pick<Asked, 'workbench' | 'shown'>;

function linesFor({ rule, isForOthers, unmet }: NearPermit, words: Words): readonly string[] {
  const others = isForOthers ? [isForOthersLine(rule, words.shown)] : [];
  return [...others, ...unmet.map((conjunct) => unmetLine(rule, conjunct, words))];
}

function isForOthersLine(rule: Rule, shown: PolicyRequest): string {
  return `${ruleAt(rule)} is for ${quote(whoFor(rule))}; ${quote(principalName(shown.principal))} is not`;
}

function whoFor({ json: { principal } }: Rule): string {
  const group =
    principal.op === 'is' ? principal.in : principal.op === 'in' ? principal : undefined;
  if (group === undefined || !('entity' in group)) return 'somebody else';
  const uid = '__entity' in group.entity ? group.entity.__entity : group.entity;
  const kind = principal.op === 'is' ? ` is ${principal.entity_type}` : '';
  return `principal${kind} in ${entityText(uid)}`;
}

function unmetLine(rule: Rule, { body, wants }: Conjunct, { workbench, shown }: Words): string {
  const condition = quote(workbench.write(body));
  const needs = wants ? `also needs ${condition}` : `does not hold when ${condition}`;
  const facts = factsIn(looksAt(body), shown);
  return `${ruleAt(rule)} ${needs}${facts === '' ? '' : `; ${facts}`}`;
}

/** A condition over more than these speaks for itself. */
const MAX_FACTS = 3;

function factsIn(paths: readonly (readonly string[])[], shown: PolicyRequest): string {
  const [path] = paths;
  if (path !== undefined && paths.length === 1) return `it is ${valueAt(path, shown)}`;
  return paths
    .slice(0, MAX_FACTS)
    .map((one) => `${quote(one.join('.'))} is ${valueAt(one, shown)}`)
    .join(', ');
}

function valueAt([root, first, ...others]: readonly string[], shown: PolicyRequest): string {
  if (root === 'action') return inWords({ type: 'Action', id: shown.action });
  const ref = root === 'principal' ? shown.principal : shown.resource;
  if (first === undefined) return inWords({ ...ref });
  if (root === 'context') return inWords(fieldAt(shown.context, [first, ...others]));
  return inWords(attributeOf(shown, ref, [first, ...others]));
}

const MAX_VALUE = 120;
const MAX_ITEMS = 5;

function inWords(value: Json | undefined): string {
  if (value === undefined) return 'absent';
  const text = Array.isArray(value) ? itemsInWords(value) : scalarInWords(value);
  const short = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
  // A value must not look like the end of what is quoted around it.
  return short.toWellFormed().replaceAll('`', '\\u{0060}');
}

function itemsInWords(values: readonly Json[]): string {
  if (values.length === 0) return 'empty';
  const shown = values.slice(0, MAX_ITEMS).map(scalarInWords);
  const more = values.length > MAX_ITEMS ? [`… ${values.length - MAX_ITEMS} more`] : [];
  return `[${[...shown, ...more].join(', ')}]`;
}

function scalarInWords(value: Json): string {
  return valueText(value) ?? (isJsonObject(value) ? 'present' : 'a value');
}
