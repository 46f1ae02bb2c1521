import { canonicalBytes, sha256Hex } from '@palyra/kernel';
import type { PolicyRequest, Rule, RuleSet } from '../model.ts';
import { concerning, type Reads } from './concern.ts';
import type { KnownTool } from './difference.ts';
import { principalsFor, type ProbedPrincipal } from './principals.ts';
import {
  narrowing,
  type ProbedSituation,
  type SeenSituation,
  situationsFor,
} from './probed-situation.ts';
import { scopesOf } from './scope.ts';
import { PLAIN } from './situation.ts';
import { requestFor, type Target, targetsFor } from './target.ts';

/** Each costs both sets a decision, of half a millisecond or so. */
export const MAX_QUESTIONS = 20_000;
export interface Question {
  readonly principal: ProbedPrincipal;
  readonly target: Target;
  readonly situation: ProbedSituation;
  readonly request: PolicyRequest;
  /** Equal for questions that no rule of either set can tell apart: they have one answer. */
  readonly likeness: string;
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
export function questionsFor({ sets, changed, tools }: ToCompare): Questions {
  const rules = sets.flatMap((set) => set.rules);
  const [{ schema }] = sets;
  const concernOf = concerning(rules, new Set(changed), scopesOf(schema));
  const narrow = narrowing(situationsFor(changed, rules));
  const targets = targetsFor(rules, { tools, schema });
  const lots = principalsFor(rules).flatMap((principal) =>
    targets.flatMap((target) => {
      const { reads, isChanged } = concernOf(requestFor(principal, target, PLAIN));
      if (!isChanged) return [];
      const likeness = likenessOf({ principal, target }, reads);
      return [{ principal, target, likeness, situations: narrow(reads, target) }];
    }),
  );
  const asked = dealt(lots);
  const all = lots.reduce((sum, { situations }) => sum + situations.length, 0);
  return { asked, leftOut: all - asked.length };
}

/**
 * Rules see who asks, and for what, through their scopes and through what their conditions read: of
 * that, all is in here. The schema lets every kind of principal ask for everything.
 */
function likenessOf({ principal, target }: Pair, reads: Reads): string {
  const who = reads.principal ? principal.facts.entities : [];
  const what = reads.resource ? [target.resource, target.attributes(principal)] : [];
  return sha256Hex(canonicalBytes([target.action, reads.key, who, what]));
}

interface Pair {
  readonly principal: ProbedPrincipal;
  readonly target: Target;
}

interface Lot {
  readonly principal: ProbedPrincipal;
  readonly target: Target;
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
      const { principal, target, situations, likeness } = lot;
      const { situation, seen } = situations[round] ?? NO_SITUATION;
      const request = requestFor(principal, target, situation);
      questions.push({ principal, target, situation, request, likeness: `${likeness} ${seen}` });
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
