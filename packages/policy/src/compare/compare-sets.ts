import { isDeepStrictEqual } from 'node:util';
import type { Rule, RuleSet } from '../model.ts';
import type { Answer } from './answer.ts';
import { Asking } from './asking.ts';
import { comparable } from './comparable.ts';
import type { Difference, KnownTool } from './difference.ts';
import { type AnsweredLot, type Direction, gainsIn } from './gains.ts';
import { type Lot, lotsFor } from './lots.ts';
import type { ProbedSituation, SeenSituation } from './probed-situation.ts';
import type { Facts } from './reduced.ts';
import type { RulesToCompare } from './remaining.ts';
import { openCases } from './shown.ts';
import { isPermit, type Meaning, type Meanings, meaningsOf } from './suspects.ts';
import { askedFor, knownOf, situationContext } from './target.ts';

/**
 * What any principal gains and loses between two sets. It blocks, for seconds where sets are large:
 * for a process of its own. Both are asked many questions, made of all that
 * their rules name. Questions can miss something, so every rule through which more could be allowed
 * than they have shown is named as a possible gain.
 * INVARIANT: no gains means that nothing is allowed under the candidate which is not allowed under
 * the old set.
 */
export async function compareSets(
  old: RuleSet,
  candidate: RuleSet,
  { tools }: { readonly tools: readonly KnownTool[] },
): Promise<Difference> {
  const meanings = meaningsOf(old, candidate);
  const { gone, come } = meanings;
  const changed = new Set([...come, ...gone].map(({ rule }) => rule));
  const compared = { old, candidate, changed, cases: casesIn(meanings) };
  const { lots, reading } = lotsFor(compared, tools);
  const asking = new Asking(await comparable(old, candidate), reading);
  const { answered, leftOut } = askAll(lots, asking);
  const sets = { before: old, after: candidate, meanings, isSampled: leftOut > 0 };
  const forwards = directionOf(sets);
  return {
    oldHash: old.hash,
    newHash: candidate.hash,
    ...changesById(old, candidate),
    gains: gainsIn(answered, forwards),
    losses: gainsIn(answered.map(reversed), backwards(forwards)),
    questions: asking.count,
    leftOut,
  };
}

function casesIn(meanings: Meanings): RulesToCompare['cases'] {
  const { gone, come } = meanings;
  const back = turned(meanings);
  return new Map([
    ...come.map((one) => [one.rule, openCases(one, isPermit(one) ? meanings : back)] as const),
    ...gone.map((one) => [one.rule, openCases(one, isPermit(one) ? back : meanings)] as const),
  ]);
}

function turned({ old, now, gone, come }: Meanings): Meanings {
  return { old: now, now: old, gone: come, come: gone };
}

function changesById({ rules: old }: RuleSet, { rules: now }: RuleSet) {
  const before = new Map(old.map((rule) => [rule.id, rule]));
  const after = new Map(now.map((rule) => [rule.id, rule]));
  return {
    addedRules: now.filter(({ id }) => !before.has(id)).map(({ id }) => id),
    removedRules: old.filter(({ id }) => !after.has(id)).map(({ id }) => id),
    changedRules: now
      .filter(({ id, json }) => before.has(id) && !isDeepStrictEqual(before.get(id)?.json, json))
      .map(({ id }) => id),
  };
}

function directionOf(sets: Omit<Direction, 'changed'>): Direction {
  const { meanings } = sets;
  const [gone, come] = [rulesOf(meanings.gone), rulesOf(meanings.come)];
  const gates = gatesIn(meanings.gone).intersection(gatesIn(meanings.come));
  return { ...sets, changed: { gone, come, altered: { gates, word: 'gate weakened' } } };
}

function backwards({ before, after, meanings, changed, isSampled }: Direction): Direction {
  return {
    before: after,
    after: before,
    isSampled,
    meanings: turned(meanings),
    changed: {
      gone: changed.come,
      come: changed.gone,
      altered: { ...changed.altered, word: 'gate tightened' },
    },
  };
}

function rulesOf(meanings: readonly Meaning[]): ReadonlySet<Rule> {
  return new Set(meanings.map(({ rule }) => rule));
}

function gatesIn(meanings: readonly Meaning[]): ReadonlySet<string> {
  const gates = meanings.filter(({ rule }) => rule.gate !== undefined);
  return new Set(gates.map(({ rule }) => rule.id));
}

/** The first situation of every lot, then the second: when it is too much, all go short alike. */
function askAll(lots: readonly Lot[], asking: Asking) {
  const asked = lots.map((lot) => ({
    lot,
    answers: new Array<Answer>(),
    others: new Array<SeenSituation>(),
  }));
  let leftOut = 0;
  const most = Math.max(0, ...lots.map(({ situations }) => situations.length));
  for (let round = 0; round < most; round += 1) {
    for (const { lot, answers, others } of asked) {
      const seen = lot.situations[round];
      if (seen === undefined) continue;
      const reply = asking.reply({ lot, seen });
      if (reply.kind === 'answered') answers.push(reply.answer);
      else if (reply.kind === 'same') others.push(seen);
      else leftOut += 1;
    }
  }
  const answered = asked.map(({ lot, answers, others }): AnsweredLot => {
    const isOpen = (seen: SeenSituation) => asking.isOpen({ lot, seen });
    const factsIn = factsOf(lot);
    return { pairs: lot.pairs, answers, others, isOpen, factsIn };
  });
  return { answered, leftOut };
}

/** Of each of its targets once: rules that cannot tell them apart may name each of them. */
function factsOf({ pairs }: Lot): (situation: ProbedSituation) => readonly Facts[] {
  const first = new Map(pairs.toReversed().map((pair) => [pair.target, pair]));
  const asked = [...first.values()].map(({ principal, target }) => ({
    ...askedFor(principal, target),
    target,
  }));
  return (situation) =>
    asked.map(({ target, ...one }) => ({
      ...one,
      context: { ...situationContext(target, situation), ...knownOf(target) },
      rest: 'absent',
    }));
}

function reversed({ answers, ...lot }: AnsweredLot): AnsweredLot {
  const swapped = answers.map(({ situation, before, after }) => ({
    situation,
    before: after,
    after: before,
  }));
  return { ...lot, answers: swapped };
}
