import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import { quote } from '@palyra/kernel';
import {
  type Conjunct,
  type Expression,
  pathOf,
  readExpression,
  split,
  walk,
} from '../compare/expression.ts';
import { entityOf } from '../compare/literal.ts';
import type { EntityRef } from '../model.ts';
import {
  FACTS,
  type FactDomain,
  IDS,
  type NumberDomain,
  type TextDomain,
} from './fact-spellings.ts';
import type { Complaint } from './problems.ts';
import { entitiesIn } from './rule-walk.ts';
import type { Mention } from './source-pieces.ts';

export interface MisspeltLiteral {
  readonly complaint: Complaint;
  readonly mention: Mention;
}

/**
 * What a rule compares a fact with that the fact never is: such a comparison never holds, so a `forbid`
 * with it would forbid nothing, and its writer would not know.
 * Contract: nothing is complained of that any fact can be.
 */
export function misspeltLiterals(json: PolicyJson): readonly MisspeltLiteral[] {
  const conditions = json.conditions.map(({ kind, body }) => {
    const expression = readExpression(body);
    return { parts: [...walk(expression)], conjuncts: split(expression, kind === 'when') };
  });
  const parts = conditions.flatMap((condition) => condition.parts);
  const lifted = conditions.flatMap(({ conjuncts }) => conjuncts.filter(({ wants }) => !wants));
  const complaints = new Map([...lifted.flatMap(alwaysHolding), ...parts.flatMap(complaintsAt)]);
  // All of the scope, as it is written: an action may be called what a fact never is.
  const scope = entitiesIn([json.principal, json.action, json.resource]);
  const named = [
    ...scope.map((entity) => ({
      source: inQuotes(entity.id),
      complaint: entityComplaint(entity),
    })),
    ...parts.map((part) => ({ source: sourceOf(part), complaint: complaints.get(part) })),
  ];
  return inOrder(named);
}

/** Which of equal constants it is tells where it stands. */
function inOrder(
  named: readonly {
    readonly source: string | undefined;
    readonly complaint: Complaint | undefined;
  }[],
): readonly MisspeltLiteral[] {
  const seen = new Map<string, number>();
  return named.flatMap(({ source, complaint }) => {
    if (source === undefined) return [];
    const before = seen.get(source) ?? 0;
    seen.set(source, before + 1);
    return complaint === undefined ? [] : [{ complaint, mention: { source, before } }];
  });
}

type Found = readonly (readonly [Expression, Complaint])[];

function complaintsAt(part: Expression): Found {
  const { op, args, value } = part;
  if (op === 'Value') {
    const entity = entityOf(value);
    const complaint = entity === undefined ? undefined : entityComplaint(entity);
    return complaint === undefined ? [] : [[part, complaint]];
  }
  if (op === 'like') return likeComplaints(part);
  const [left, right] = args;
  if (left === undefined || right === undefined) return [];
  if (SAMENESS.has(op)) return [...among(left, right), ...among(right, left)];
  return [...compared(op, left, right), ...compared(TURNED.get(op) ?? '', right, left)];
}

const SAMENESS: ReadonlySet<string> = new Set([
  '==',
  '!=',
  'contains',
  'containsAny',
  'containsAll',
]);
const TURNED: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
]);

/** Each constant that a fact is compared with. */
function among(fact: Expression, other: Expression): Found {
  const found = factOf(fact);
  if (found === undefined) return [];
  return (other.op === 'Set' ? other.args : [other]).flatMap((literal) => {
    const complaint = sameComplaint(found, literal.value);
    return complaint === undefined ? [] : [[literal, complaint] as const];
  });
}

interface Fact {
  readonly name: string;
  readonly domain: FactDomain;
}

function factOf(expression: Expression): Fact | undefined {
  const name = pathOf(expression)?.join('.') ?? '';
  const domain = FACTS.get(name);
  return domain === undefined ? undefined : { name, domain };
}

function sameComplaint({ name, domain }: Fact, value: unknown): Complaint | undefined {
  switch (domain.kind) {
    case 'anything':
      return undefined;
    case 'text':
      return typeof value === 'string' ? textComplaint(quote(name), domain, value) : undefined;
    case 'number':
      if (typeof value !== 'number' || (value >= domain.least && value <= domain.most)) return;
      return outside(`${quote(name)} is never ${value}`, domain);
  }
}

function textComplaint(whose: string, domain: TextDomain, text: string): Complaint | undefined {
  const right = domain.spell(text);
  if (right === text) return undefined;
  return {
    reason: `${whose} is never ${quote(text)}: it is ${domain.says}`,
    help: right === undefined ? domain.hint : `write ${quote(right)}`,
  };
}

function entityComplaint({ type, id }: EntityRef): Complaint | undefined {
  const domain = IDS.get(type);
  return domain === undefined ? undefined : textComplaint(`a \`${type}\``, domain, id);
}

function likeComplaints(part: Expression): Found {
  const { args, pattern = [] } = part;
  const fact = args[0] === undefined ? undefined : factOf(args[0]);
  if (fact?.domain.kind !== 'text') return [];
  const { name, domain } = fact;
  const complaint = pattern.includes(undefined)
    ? patternComplaint(name, domain, pattern)
    : textComplaint(quote(name), domain, pattern.join(''));
  return complaint === undefined ? [] : [[part, complaint]];
}

function patternComplaint(
  name: string,
  domain: TextDomain,
  pattern: NonNullable<Expression['pattern']>,
): Complaint | undefined {
  if (domain.canBeLike(pattern)) return undefined;
  const text = pattern.map((piece) => piece ?? '*').join('');
  return {
    reason: `${quote(name)} is never like ${quote(text)}: it is ${domain.says}`,
    help: domain.hint,
  };
}

function compared(op: string, fact: Expression, literal: Expression): Found {
  const outcome = outcomeOf(op, fact, literal);
  if (outcome?.holds !== 'never') return [];
  return [[literal, outside(`${outcome.shown} never holds`, outcome.domain)]];
}

interface Outcome {
  readonly holds: 'never' | 'always' | 'either';
  readonly domain: NumberDomain;
  /** The comparison, as a person would write it. */
  readonly shown: string;
}

/** How it comes out, whatever the fact is; `undefined` for what compares no fact with a number. */
function outcomeOf(op: string, fact: Expression, { value }: Expression): Outcome | undefined {
  const found = factOf(fact);
  if (found?.domain.kind !== 'number' || typeof value !== 'number') return undefined;
  const { domain, name } = found;
  const shown = `\`${name} ${op} ${value}\``;
  const [low, high] = [domain.least, domain.most].map((number) => holdsFor(op, number, value));
  if (low !== high) return { holds: 'either', domain, shown };
  return { holds: low === true ? 'always' : 'never', domain, shown };
}

function holdsFor(op: string, fact: number, value: number): boolean {
  if (op === '<') return fact < value;
  if (op === '<=') return fact <= value;
  return op === '>' ? fact > value : fact >= value;
}

/** An exception that always holds is the same: nothing is left of the rule. */
function alwaysHolding({ expression: { op, args } }: Conjunct): Found {
  const [left, right] = args;
  const turned = TURNED.get(op);
  if (left === undefined || right === undefined || turned === undefined) return [];
  const outcome = outcomeOf(op, left, right) ?? outcomeOf(turned, right, left);
  if (outcome?.holds !== 'always') return [];
  const reason = `${outcome.shown} always holds, so the rule never applies`;
  return [[left.op === 'Value' ? left : right, outside(reason, outcome.domain)]];
}

function outside(reason: string, { least, most }: NumberDomain): Complaint {
  const upTo = most === Number.MAX_SAFE_INTEGER ? ' or more' : ` to ${most}`;
  return {
    reason: `${reason}: it is ${least}${upTo}`,
    help: `compare it with ${least}${upTo}`,
  };
}

/** How a constant stands in the text of a rule; `undefined` for what is none. */
function sourceOf({ op, value, pattern }: Expression): string | undefined {
  if (op === 'like') return inQuotes((pattern ?? []).map(patternSource).join(''));
  if (op !== 'Value') return undefined;
  if (typeof value === 'number') return `${value}`;
  const text = typeof value === 'string' ? value : entityOf(value)?.id;
  return text === undefined ? undefined : inQuotes(text);
}

function patternSource(piece: string | undefined): string {
  return piece === undefined ? '*' : piece.replaceAll('*', '\\*');
}

function inQuotes(text: string): string {
  return `"${text}"`;
}
