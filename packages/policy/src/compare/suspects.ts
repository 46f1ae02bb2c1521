import type { GateTerms, Rule, RuleSet } from '../model.ts';
import { usesApprovalsPlainly } from './approval-use.ts';
import { casesOf, isPlain } from './cases.ts';
import { demandsAtLeast } from './demand.ts';
import { type Conjunct, conjunctsOf } from './expression.ts';
import { heldAnyway } from './held.ts';
import { impliesAll } from './implication.ts';
import { mayFail } from './may-fail.ts';
import { scopeKey } from './scope.ts';

/** A rule as far as decisions go: without its name, its sentence and its place. */
export interface Meaning {
  readonly rule: Rule;
  readonly scope: string;
  readonly conjuncts: readonly Conjunct[];
  readonly mayFail: boolean;
  /** All its conditions compare something with what it names. */
  readonly isPlain: boolean;
  /** Equal for rules that decide alike. */
  readonly key: string;
}

function meaningOf(rule: Rule): Meaning {
  const { principal, action, resource, conditions } = rule.json;
  const conjuncts = conjunctsOf(conditions);
  const meaning = {
    rule,
    scope: [principal, action, resource].map(scopeKey).join(' '),
    conjuncts,
    mayFail: mayFail(rule),
    isPlain: casesOf(conjuncts).every((one) => one.every(isPlain)),
  };
  return { ...meaning, key: keyOf(meaning) };
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
  return { old, now, gone: missingIn(now, old), come: missingIn(old, now) };
}

function missingIn(some: readonly Meaning[], others: readonly Meaning[]): readonly Meaning[] {
  const known = new Set(some.map(({ key }) => key));
  return others.filter(({ key }) => !known.has(key));
}

/** A rule through which more could be allowed. */
export interface Suspicion {
  readonly meaning: Meaning;
  /** Some of its cases are not covered by the other set, or there is more to it than cases. */
  readonly because: 'cases' | 'interplay';
}

/**
 * The rules through which more could be allowed under `next` than under `before`, of either set.
 * None means that nothing is: each new permit then applies only where an old one did, and wherever an
 * old forbid applied, a new one of the same weight or more does.
 */
export function suspicionsBetween(
  before: RuleSet,
  next: RuleSet,
  meanings = meaningsOf(before, next),
): readonly Suspicion[] {
  const { gone, come } = meanings;
  const gatesMatter = !usesApprovalsPlainly(before) || !usesApprovalsPlainly(next);
  // Approvals are tried as each gate asks for them, so one gate less is one obstacle less.
  const isMattering = ({ rule }: Meaning) => rule.gate !== undefined && gatesMatter;
  const isCovered = coverIn(meanings);
  const plain = meanings.now.filter(({ rule }) => rule.gate === undefined);
  const isStopped = coverIn({ old: [], now: plain });
  const isHeld = heldAnyway(before);
  const interplay = [
    ...come.filter(isMattering),
    ...gone.filter((one) => one.mayFail || (isMattering(one) && !isStopped(one))),
  ];
  const cases = [
    ...come.filter((one) => isPermit(one) && !isCovered(one) && !isHeld(one.rule)),
    ...gone.filter((one) => !isPermit(one) && !isCovered(one)),
  ];
  return [...new Set([...cases, ...interplay])].map((meaning) => ({
    meaning,
    because: interplay.includes(meaning) ? 'interplay' : 'cases',
  }));
}

export function suspectsBetween(before: RuleSet, next: RuleSet): readonly Rule[] {
  return suspicionsBetween(before, next).map(({ meaning }) => meaning.rule);
}

/** Whether a permit allows no more than one of the old set does, or a forbid no less than a new one. */
export function coverIn({ old, now }: Pick<Meanings, 'old' | 'now'>): (one: Meaning) => boolean {
  const [before, after] = [old, now].map((some) => Map.groupBy(some, ({ scope }) => scope));
  return (one) =>
    isPermit(one)
      ? (before?.get(one.scope) ?? []).some((other) => isWiderPermit(other, one))
      : (after?.get(one.scope) ?? []).some((other) => isStricter(other, one));
}

export function isPermit({ rule }: Meaning): boolean {
  return rule.effect === 'permit';
}

/**
 * Equal for what decides alike, whatever it is called. Where one condition may fail, what stands before
 * it decides whether it is looked at, so that `a && b` and `b && a` are not the same.
 */
function keyOf({ rule, scope, conjuncts, mayFail: inOrder }: Omit<Meaning, 'key'>): string {
  const keys = conjuncts.map(({ key }) => key);
  const conditions = inOrder ? keys : [...new Set(keys)].toSorted();
  const { approvers, quorum, strength } = rule.gate ?? {};
  return JSON.stringify([rule.effect, scope, [approvers, quorum, strength], inOrder, conditions]);
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
