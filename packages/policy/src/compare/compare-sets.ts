import { isDeepStrictEqual } from 'node:util';
import { GainKind } from '@palyra/protocol';
import { decide } from '../engine/decide.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { Rule, RuleSet } from '../model.ts';
import type { Answer, Changed } from './answer.ts';
import type { Difference, Gain, KnownTool } from './difference.ts';
import { type Finding, findingsIn } from './finding.ts';
import { entityOf } from './literal.ts';
import { type Question, questionsFor } from './questions.ts';
import { statementsOf } from './statement.ts';
import { meaningsOf, suspectsBetween } from './suspects.ts';

/**
 * What any principal gains and loses between two sets. Both are asked many questions, made of all that
 * their rules name. Questions can miss something, so every rule through which more could be allowed,
 * and of which no question has shown that it is, is named as a possible gain.
 * INVARIANT: no gains means that nothing is allowed under the candidate which is not allowed under
 * the old set.
 */
export function compareSets(
  old: LoadedSet,
  candidate: LoadedSet,
  { tools }: { readonly tools: readonly KnownTool[] },
): Difference {
  const sets = [old.set, candidate.set] as const;
  const changed = changedBetween(...sets);
  const { asked, leftOut } = questionsFor({ sets, changed: changed.rules, tools });
  const answers = answersTo(asked, old, candidate);
  return {
    oldHash: old.set.hash,
    newHash: candidate.set.hash,
    ...changesById(...sets),
    gains: gainsIn(answers, { changed, before: old.set, after: candidate.set }),
    losses: gainsIn(answers.map(reversed), {
      changed: { ...changed, gone: changed.come, come: changed.gone },
      before: candidate.set,
      after: old.set,
    }),
    questions: asked.length,
    leftOut,
  };
}

/** Each question that can be told from the others is put to both sets once. */
function answersTo(
  questions: readonly Question[],
  old: LoadedSet,
  candidate: LoadedSet,
): readonly Answer[] {
  const said = new Map<string, Pick<Answer, 'before' | 'after'>>();
  return questions.map((question) => {
    const { request, likeness } = question;
    const known = said.get(likeness);
    const answer = known ?? { before: decide(old, request), after: decide(candidate, request) };
    if (known === undefined) said.set(likeness, answer);
    return { question, ...answer };
  });
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

interface ChangedRules extends Changed {
  readonly rules: readonly Rule[];
}

function changedBetween(old: RuleSet, now: RuleSet): ChangedRules {
  const { gone, come } = meaningsOf(old, now);
  return {
    gone: new Set(gone.map(({ rule }) => rule.id)),
    come: new Set(come.map(({ rule }) => rule.id)),
    rules: [...come, ...gone].map(({ rule }) => rule),
  };
}

function reversed({ question, before, after }: Answer): Answer {
  return { question, before: after, after: before };
}

interface Direction {
  readonly changed: ChangedRules;
  readonly before: RuleSet;
  readonly after: RuleSet;
}

function gainsIn(
  answers: readonly Answer[],
  { changed, before, after }: Direction,
): readonly Gain[] {
  const families = Map.groupBy(
    answers,
    ({ question: { principal, target } }) => `${principal.label} ${target.action} ${target.family}`,
  );
  const findings = [...families.values()].flatMap((family) => findingsInFamily(family, changed));
  const blamed = new Set(findings.flatMap(({ ruleIds }) => ruleIds));
  const suspects = suspectsBetween(before, after).filter(({ id }) => !blamed.has(id));
  return [...statementsOf(findings), ...suspects.map(possibleGain), ...schemaGain(before, after)];
}

/** What was found of all of them alike is told of the family. */
function findingsInFamily(answers: readonly Answer[], changed: Changed): readonly Finding[] {
  const members = Map.groupBy(answers, ({ question }) => question.target.label);
  const findings = [...members.values()].flatMap((member) => findingsIn(member, changed));
  const alike = Map.groupBy(findings, ({ kind, family = '' }) => `${kind} ${family}`);
  return findings.map((finding) => {
    const { kind, family = '' } = finding;
    const isOfAll = family !== '' && alike.get(`${kind} ${family}`)?.length === members.size;
    return isOfAll ? { ...finding, what: family } : finding;
  });
}

function possibleGain({ id, json }: Rule): Gain {
  return { kind: GainKind.POSSIBLE, principal: whoIn(json), what: id, ruleIds: [id] };
}

/** Whom the scope of a rule leaves in, in words. */
function whoIn({ principal }: Rule['json']): string {
  if (principal.op === 'is') return principal.entity_type.toLowerCase();
  if (principal.op === 'All' || !('entity' in principal)) return 'anyone';
  const { type, id } = entityOf(principal.entity) ?? { type: '', id: '' };
  return type === 'Role' ? id : `${type.toLowerCase()}:${id}`;
}

/** What was denied because it did not fit may fit now. */
function schemaGain(before: RuleSet, after: RuleSet): readonly Gain[] {
  if (isDeepStrictEqual(before.schema, after.schema)) return [];
  const what = 'the schema that requests are checked against';
  return [{ kind: GainKind.POSSIBLE, principal: 'anyone', what, ruleIds: [] }];
}
