import { isDeepStrictEqual } from 'node:util';
import { GainKind } from '@palyra/protocol';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { Rule, RuleSet } from '../model.ts';
import type { Answer, Changed } from './answer.ts';
import { Asking } from './asking.ts';
import type { Difference, Gain, KnownTool } from './difference.ts';
import { type Finding, type Member, findingsIn } from './finding.ts';
import { Foresight } from './foresight.ts';
import { entityOf } from './literal.ts';
import { type Question, questionsFor } from './questions.ts';
import { statementsOf } from './statement.ts';
import { type Meanings, meaningsOf, suspectsBetween } from './suspects.ts';

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
  const foresight = new Foresight();
  const { asked, leftOut } = questionsFor({ sets, changed: changed.rules, tools }, foresight);
  const asking = new Asking([old, candidate], foresight);
  const isOpen = (question: Question) => asking.isOpen(question);
  const put = asked.map((question) => ({ question, answer: asking.answerTo(question) }));
  const gains = gainsIn(put, { changed, before: old.set, after: candidate.set, isOpen });
  const losses = gainsIn(put.map(reversed), {
    changed: backwards(changed),
    before: candidate.set,
    after: old.set,
    isOpen,
  });
  return {
    oldHash: old.set.hash,
    newHash: candidate.set.hash,
    ...changesById(...sets),
    gains,
    losses,
    questions: asking.count,
    leftOut,
  };
}

/** A question, and what was answered if that can differ. */
interface Put {
  readonly question: Question;
  readonly answer: Answer | undefined;
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
  readonly meanings: Meanings;
}

function changedBetween(old: RuleSet, now: RuleSet): ChangedRules {
  const meanings = meaningsOf(old, now);
  const { gone, come } = meanings;
  return {
    meanings,
    gone: new Set(gone.map(({ rule }) => rule.id)),
    come: new Set(come.map(({ rule }) => rule.id)),
    rules: [...come, ...gone].map(({ rule }) => rule),
  };
}

function backwards({ rules, gone, come, meanings }: ChangedRules): ChangedRules {
  const { old, now, gone: lost, come: won } = meanings;
  return {
    rules,
    gone: come,
    come: gone,
    meanings: { old: now, now: old, gone: won, come: lost },
  };
}

function reversed({ question, answer }: Put): Put {
  if (answer === undefined) return { question, answer };
  return { question, answer: { question, before: answer.after, after: answer.before } };
}

interface Direction {
  readonly changed: ChangedRules;
  readonly before: RuleSet;
  readonly after: RuleSet;
  readonly isOpen: Member['isOpen'];
}

function gainsIn(put: readonly Put[], direction: Direction): readonly Gain[] {
  const { changed, before, after } = direction;
  const families = Map.groupBy(
    put,
    ({ question: { principal, target } }) => `${principal.label} ${target.action} ${target.family}`,
  );
  const findings = [...families.values()].flatMap((family) => findingsInFamily(family, direction));
  const blamed = new Set(findings.flatMap(({ ruleIds }) => ruleIds));
  const suspects = suspectsBetween(before, after, changed.meanings);
  const possible = suspects.filter(({ id }) => !blamed.has(id));
  return [...statementsOf(findings), ...possible.map(possibleGain), ...schemaGain(before, after)];
}

/** What was found of all of them alike is told of the family. */
function findingsInFamily(
  put: readonly Put[],
  { changed, isOpen }: Pick<Direction, 'changed' | 'isOpen'>,
): readonly Finding[] {
  const members = Map.groupBy(put, ({ question }) => question.target.label);
  const findings = [...members.values()].flatMap((member) =>
    findingsIn({ ...apart(member), isOpen }, changed),
  );
  const alike = Map.groupBy(findings, ({ kind, family = '' }) => `${kind} ${family}`);
  return findings.map((finding) => {
    const { kind, family = '' } = finding;
    const isOfAll = family !== '' && alike.get(`${kind} ${family}`)?.length === members.size;
    return isOfAll ? { ...finding, what: family } : finding;
  });
}

function apart(put: readonly Put[]): Omit<Member, 'isOpen'> {
  const answers = put.map(({ answer }) => answer).filter((answer) => answer !== undefined);
  const others = put.filter(({ answer }) => answer === undefined).map(({ question }) => question);
  return { answers, others };
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
