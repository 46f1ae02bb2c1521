import { canonicalBytes, sha256Hex } from '@palyra/kernel';
import type { PolicyRequest, Rule, RuleSet } from '../model.ts';
import { type Concern, concerning } from './concern.ts';
import type { KnownTool } from './difference.ts';
import type { Foresight } from './foresight.ts';
import type { Facts } from './holds.ts';
import { principalsFor, type ProbedPrincipal } from './principals.ts';
import { type ProbedSituation, probing, type SeenSituation } from './probed-situation.ts';
import { scopesOf } from './scope.ts';
import { PLAIN } from './situation.ts';
import { askedFor, requestFor, type Target, targetsFor } from './target.ts';

/** Each costs both sets a decision, of half a millisecond or so. */
export const MAX_QUESTIONS = 20_000;
export interface Question {
  readonly principal: ProbedPrincipal;
  readonly target: Target;
  readonly situation: ProbedSituation;
  readonly request: PolicyRequest;
  /** Equal for questions that no rule of either set can tell apart: they have one answer. */
  readonly likeness: string;
  /** The rules in whose scope it is. */
  readonly concern: Concern;
}

export interface Questions {
  readonly asked: readonly Question[];
  /** How many there were beyond `MAX_QUESTIONS`. */
  readonly leftOut: number;
}

export interface ToCompare {
  readonly sets: readonly [RuleSet, RuleSet];
  /** Of both sets, whatever is not in the other. Elsewhere the answers cannot differ. */
  readonly changed: readonly Rule[];
  readonly tools: readonly KnownTool[];
}

/** Contract: the same sets give the same questions in the same order. */
export function questionsFor({ sets, changed, tools }: ToCompare, foresight: Foresight): Questions {
  const rules = rulesOf(sets, new Set(changed));
  const [{ schema }] = sets;
  const concernOf = concerning(
    rules,
    new Set(changed),
    scopesOf(schema, { following: 'included' }),
  );
  const probe = probing();
  const old = new Set(sets[0].rules);
  const canDiffer = ({ changed: all }: Concern, facts: Facts) => {
    const [gone, come] = [
      all.filter((rule) => old.has(rule)),
      all.filter((rule) => !old.has(rule)),
    ];
    return (
      [...foresight.without(gone, come, facts), ...foresight.without(come, gone, facts)].length > 0
    );
  };
  const targets = targetsFor(rules, { tools, schema });
  const lots = principalsFor(rules).flatMap((principal) =>
    targets.flatMap((target) => {
      const asked = askedFor(principal, target);
      const concern = concernOf(asked);
      if (concern === undefined || !canDiffer(concern, asked)) return [];
      const likeness = likenessOf({ principal, target }, concern);
      return [{ principal, target, concern, likeness, situations: probe(concern, target) }];
    }),
  );
  const asked = dealt(lots);
  const all = lots.reduce((sum, { situations }) => sum + situations.length, 0);
  return { asked, leftOut: all - asked.length };
}

/** Those that stand in both are looked at once. */
function rulesOf([old, now]: ToCompare['sets'], changed: ReadonlySet<Rule>): readonly Rule[] {
  const ids = new Set(old.rules.map(({ id }) => id));
  return [...old.rules, ...now.rules.filter((rule) => changed.has(rule) || !ids.has(rule.id))];
}

/**
 * Rules see who asks, and for what, through their scopes and through what their conditions read: of
 * that, all is in here. The schema lets every kind of principal ask for everything.
 */
function likenessOf({ principal, target }: Pair, { key, reads }: Concern): string {
  const who = reads.principal ? principal.facts.entities : [];
  const what = reads.resource ? [target.resource, target.attributes(principal)] : [];
  return sha256Hex(canonicalBytes([target.action, key, who, what]));
}

interface Pair {
  readonly principal: ProbedPrincipal;
  readonly target: Target;
}

interface Lot {
  readonly principal: ProbedPrincipal;
  readonly target: Target;
  readonly concern: Concern;
  readonly likeness: string;
  readonly situations: readonly SeenSituation[];
}

/** The first of every lot, then the second of every lot: when it is too much, all go short alike. */
function dealt(lots: readonly Lot[]): readonly Question[] {
  const questions: Question[] = [];
  const most = lots.reduce((longest, { situations }) => Math.max(longest, situations.length), 0);
  for (let round = 0; round < most && questions.length < MAX_QUESTIONS; round += 1) {
    const open = lots.filter(({ situations }) => round < situations.length);
    for (const lot of evenly(open, MAX_QUESTIONS - questions.length)) {
      const { principal, target, concern, situations } = lot;
      const { situation, seen } = situations[round] ?? NO_SITUATION;
      const request = requestFor(principal, target, situation);
      const likeness = `${lot.likeness} ${seen}`;
      questions.push({ principal, target, situation, request, likeness, concern });
    }
  }
  return questions;
}

const NO_SITUATION: SeenSituation = { situation: { ...PLAIN, says: [] }, seen: '' };

/** At most so many, from all over the list. */
function evenly<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  return items.filter(
    (_, place) =>
      Math.floor((place * count) / items.length) !==
      Math.floor(((place + 1) * count) / items.length),
  );
}
