import { isDeepStrictEqual } from 'node:util';
import type { GateTerms, Rule, RuleSet } from '../model.ts';
import { usesApprovalsPlainly } from './approval-use.ts';
import { demandsAtLeast } from './demand.ts';
import { type Conjunct, conjunctsOf } from './expression.ts';
import { isHeldAnyway } from './held.ts';
import { impliesAll } from './implication.ts';
import { mayFail } from './may-fail.ts';

/** A rule as far as decisions go: without its name, its sentence and its place. */
export interface Meaning {
  readonly rule: Rule;
  readonly scope: string;
  readonly conjuncts: readonly Conjunct[];
  /** Their order tells whether something is asked before what may fail. */
  readonly inOrder: string;
  readonly mayFail: boolean;
}

function meaningOf(rule: Rule): Meaning {
  const { principal, action, resource, conditions } = rule.json;
  const conjuncts = conjunctsOf(conditions);
  return {
    rule,
    scope: [principal, action, resource].map(scopeKey).join(' '),
    conjuncts,
    inOrder: conjuncts.map(({ key }) => key).join('\n'),
    mayFail: mayFail(rule),
  };
}

/** Plain data of known shape, three levels at most. */
function scopeKey(constraint: object): string {
  return JSON.stringify(
    Object.entries(constraint).toSorted(([left], [right]) => (left < right ? -1 : 1)),
    sorted,
  );
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/** Of two sets, and those of each that the other has not. */
export interface Meanings {
  readonly old: readonly Meaning[];
  readonly now: readonly Meaning[];
  readonly gone: readonly Meaning[];
  readonly come: readonly Meaning[];
}

export function meaningsOf(before: RuleSet, next: RuleSet): Meanings {
  const old = before.rules.map(meaningOf);
  const now = next.rules.map(meaningOf);
  return {
    old,
    now,
    gone: old.filter((meaning) => !now.some((other) => isSame(meaning, other))),
    come: now.filter((meaning) => !old.some((other) => isSame(meaning, other))),
  };
}

/**
 * The rules through which more could be allowed under `next` than under `before`, of either set.
 * None means that nothing is: each new permit then applies only where an old one did, and wherever an
 * old forbid applied, a new one of the same weight or more does.
 */
export function suspectsBetween(
  before: RuleSet,
  next: RuleSet,
  { old, now, gone, come } = meaningsOf(before, next),
): readonly Rule[] {
  const gatesMatter = !usesApprovalsPlainly(before) || !usesApprovalsPlainly(next);
  const suspects = [
    ...come.filter(
      (meaning) =>
        isPermit(meaning) &&
        !old.some((other) => isWiderPermit(other, meaning)) &&
        !isHeldAnyway(meaning.rule, before),
    ),
    ...come.filter(({ rule }) => rule.gate !== undefined && gatesMatter),
    ...gone.filter(
      (meaning) => !isPermit(meaning) && !now.some((other) => isStricter(other, meaning)),
    ),
    ...gone.filter((meaning) => meaning.mayFail),
  ];
  return [...new Map(suspects.map(({ rule }) => [rule.id, rule])).values()];
}

function isPermit({ rule }: Meaning): boolean {
  return rule.effect === 'permit';
}

/**
 * Decides alike, whatever it is called. Where one condition may fail, what stands before it decides
 * whether it is looked at, so that `a && b` and `b && a` are not the same.
 */
function isSame(left: Meaning, right: Meaning): boolean {
  return (
    left.rule.effect === right.rule.effect &&
    left.scope === right.scope &&
    hasSameConditions(left, right) &&
    isSameDemand(left.rule.gate, right.rule.gate)
  );
}

function hasSameConditions(left: Meaning, right: Meaning): boolean {
  if (left.mayFail || right.mayFail) return left.inOrder === right.inOrder;
  return isDeepStrictEqual(keysOf(left), keysOf(right));
}

function keysOf({ conjuncts }: Meaning): ReadonlySet<string> {
  return new Set(conjuncts.map(({ key }) => key));
}

export function isSameDemand(left: GateTerms | undefined, right: GateTerms | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return demandsAtLeast(left, right) && demandsAtLeast(right, left);
}

/** Whether `other` allows all that `meaning` allows. One that may fail has rather denied. */
function isWiderPermit(other: Meaning, meaning: Meaning): boolean {
  return (
    isPermit(other) &&
    other.scope === meaning.scope &&
    impliesAll(meaning.conjuncts, other.conjuncts) &&
    !other.mayFail
  );
}

/** Whether `other` forbids all that `meaning` forbids, and can be lifted by no less. */
function isStricter(other: Meaning, meaning: Meaning): boolean {
  if (isPermit(other) || other.scope !== meaning.scope) return false;
  if (!impliesAll(meaning.conjuncts, other.conjuncts)) return false;
  const { gate } = other.rule;
  if (gate === undefined) return true;
  return meaning.rule.gate !== undefined && demandsAtLeast(gate, meaning.rule.gate);
}
