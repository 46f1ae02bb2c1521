import { isDisjoint } from './scope.ts';
import { type Case, casesOf, denialsOf, isFolderLike, isPlain } from './cases.ts';
import type { Conjunct, Expression } from './expression.ts';
import { CHANGING, type Facts, reduced } from './reduced.ts';
import { attributesIn, variablesIn } from './attributes.ts';
import { coverIn, isPermit, type Meaning, type Meanings, type Suspicion } from './suspects.ts';
import { folderLike } from './workspace-target.ts';

/** Of one rule; one with more leaves doubt. */
const MAX_CASES = 512;

/**
 * Whether what was told of a rule is all that it can allow: each of its cases that the other set does
 * not cover was met by a question that is told, and nothing in it is met by more than can be told.
 * Contract: `told` are the circumstances of all that is told of this rule.
 */
export function isAllTold(
  { meaning, because }: Suspicion,
  meanings: Meanings,
  told: readonly Facts[],
): boolean {
  if (because === 'interplay' || told.length === 0) return false;
  const cases = openCases(meaning, meanings);
  if (cases.length > MAX_CASES || !areRivalsPlain(meaning, meanings)) return false;
  return cases.every(
    (one) => one.every(isPlain) && told.some((facts) => one.every((each) => holds(each, facts))),
  );
}

/**
 * The cases of a rule that no rule of the other set covers. A rule that took its place, or whose place
 * it took, covers it only where it applies, so each way in which that one does not is a case as well.
 */
export function openCases(meaning: Meaning, meanings: Meanings): readonly Case[] {
  const isCovered = coverIn(meanings);
  const own = casesOf(meaning.conjuncts).filter(
    (conjuncts) => !isCovered({ ...meaning, conjuncts }),
  );
  const known = new Set(meaning.conjuncts.map(({ key }) => key));
  const beyond = replacedBy(meaning, meanings).flatMap(({ conjuncts }) =>
    denialsOf(conjuncts.filter(({ key }) => !known.has(key))).flatMap(casesOf),
  );
  return [...own, ...beyond.map((denial) => [...meaning.conjuncts, ...denial])];
}

function replacedBy(meaning: Meaning, { gone, come }: Meanings): readonly Meaning[] {
  return (isPermit(meaning) ? gone : come).filter(
    ({ rule, scope }) =>
      rule.effect === meaning.rule.effect &&
      (rule.id === meaning.rule.id || scope === meaning.scope),
  );
}

/** More is allowed only where none of these applied before, or none applies any more. */
function areRivalsPlain(meaning: Meaning, { old, now }: Meanings): boolean {
  return (isPermit(meaning) ? old : now)
    .filter(
      ({ rule }) =>
        rule.effect === meaning.rule.effect && !isDisjoint(rule.json, meaning.rule.json),
    )
    .every((rival) => rival.isPlain);
}

/**
 * What depends on an approval that is asked for later was asked about in both ways, and what is done
 * is one of the few things that rules are asked about.
 */
function holds({ expression, wants }: Conjunct, facts: Facts): boolean {
  if (isFolderLike(expression)) return isFolderOf(expression, facts);
  if (facts.resource.type === 'Host' && isOfCallAlone(expression)) return false;
  const outcome = reduced(expression, facts);
  if (typeof outcome === 'boolean') return outcome === wants;
  const read = attributesIn(outcome);
  const isForetold = !variablesIn(outcome).isSubsetOf(OPEN);
  return !isForetold && read !== 'all' && read.isSubsetOf(CHANGING);
}

/** Whom a call names that connects elsewhere is asked about in a few ways only. */
function isOfCallAlone(expression: Expression): boolean {
  const read = attributesIn(expression);
  const isOfHosts = read === 'all' || read.has('hosts');
  return isOfHosts && !variablesIn(expression).has('resource');
}

/** Told of another folder that is like it, too, it would be told by another pattern. */
function isFolderOf({ pattern = [] }: Expression, { resource }: Facts): boolean {
  return resource.id === folderLike(pattern);
}

/** Variables of which not all is known when a question is put. */
const OPEN: ReadonlySet<string> = new Set(['context', 'action']);
