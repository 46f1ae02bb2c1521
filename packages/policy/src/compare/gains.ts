import { isDeepStrictEqual } from 'node:util';
import { GainKind } from '@palyra/protocol';
import type { Rule, RuleSet } from '../model.ts';
import { type Changed, causesOf } from './answer.ts';
import type { Gain } from './difference.ts';
import { type Discovery, type Finding, type Member, discoveriesIn, findingOf } from './finding.ts';
import { entityOf } from './literal.ts';
import type { Pair } from './lots.ts';
import type { ProbedSituation } from './probed-situation.ts';
import type { Facts } from './reduced.ts';
import { isAllTold } from './shown.ts';
import { statementsOf } from './statement.ts';
import { coverIn, type Meaning, type Meanings, suspicionsBetween } from './suspects.ts';

/** From one set to the other, whichever was first. */
export interface Direction {
  readonly before: RuleSet;
  readonly after: RuleSet;
  readonly changed: Changed;
  readonly meanings: Meanings;
  /** Questions were left out, so no rule is known to allow no more than what is told. */
  readonly isSampled: boolean;
}

/** What was answered to all pairs of a lot. */
export interface AnsweredLot extends Omit<Member, 'target'> {
  readonly pairs: readonly Pair[];
  /** What rules saw in one of its situations. */
  readonly factsIn: (situation: ProbedSituation) => readonly Facts[];
}

export function gainsIn(lots: readonly AnsweredLot[], direction: Direction): readonly Gain[] {
  const { before, after, meanings, isSampled } = direction;
  const discovered = lots.map((lot) => ({ lot, discoveries: discoveriesFor(lot, direction) }));
  const told = factsByRule(discovered, direction);
  const unshown = suspicionsBetween(before, after, meanings).filter(
    (suspicion) =>
      isSampled || !isAllTold(suspicion, meanings, told.get(suspicion.meaning.rule) ?? []),
  );
  const gains = [
    ...statementsOf(togetherIfAlike(discovered.flatMap(findingsIn), lots)),
    ...unshown.map(({ meaning }) =>
      told.has(meaning.rule) ? doubtfulGain(meaning.rule) : possibleGain(meaning, direction),
    ),
    ...schemaGain(before, after),
  ];
  // A rule that changed can leave the same doubt as it was and as it is.
  return [...new Map(gains.map((gain) => [JSON.stringify(gain), gain])).values()];
}

interface PairFinding extends Finding {
  readonly pair: Pair;
}

interface DiscoveredLot {
  readonly lot: AnsweredLot;
  readonly discoveries: readonly Discovery[];
}

function discoveriesFor(lot: AnsweredLot, { changed }: Direction): readonly Discovery[] {
  const [first] = lot.pairs;
  return first === undefined ? [] : discoveriesIn({ ...lot, target: first.target }, changed);
}

/** The circumstances of all that is told of each rule. */
function factsByRule(
  discovered: readonly DiscoveredLot[],
  { changed }: Direction,
): ReadonlyMap<Rule, readonly Facts[]> {
  const told = new Map<Rule, Facts[]>();
  for (const { lot, discoveries } of discovered) {
    for (const answer of new Set(discoveries.flatMap(({ answers }) => answers))) {
      const facts = lot.factsIn(answer.situation);
      for (const rule of causesOf(answer, changed)) {
        told.set(rule, told.get(rule) ?? []);
        told.get(rule)?.push(...facts);
      }
    }
  }
  return told;
}

function findingsIn({ lot, discoveries }: DiscoveredLot): readonly PairFinding[] {
  return lot.pairs.flatMap((pair) =>
    discoveries.map((discovery) => ({ ...findingOf(discovery, pair), pair })),
  );
}

/** What was found of all targets of a family alike is told of the family. */
function togetherIfAlike(
  findings: readonly PairFinding[],
  lots: readonly AnsweredLot[],
): readonly Finding[] {
  const sizes = labelsBy(
    lots.flatMap(({ pairs }) => pairs),
    familyOf,
  );
  const key = ({ kind, family = '', pair }: PairFinding) => `${familyOf(pair)} ${kind} ${family}`;
  const found = labelsBy(
    findings.map((finding) => ({ ...finding.pair, finding })),
    ({ finding }) => key(finding),
  );
  return findings.map(({ pair, ...finding }) => {
    const { family = '' } = finding;
    const isOfAll =
      family !== '' &&
      found.get(key({ ...finding, pair }))?.size === sizes.get(familyOf(pair))?.size;
    return isOfAll ? { ...finding, what: family } : finding;
  });
}

function familyOf({ principal, target }: Pair): string {
  return `${principal.label} ${target.action} ${target.family}`;
}

function labelsBy<One extends Pair>(
  pairs: readonly One[],
  keyOf: (pair: One) => string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const pair of pairs) {
    const key = keyOf(pair);
    labels.set(key, (labels.get(key) ?? new Set<string>()).add(pair.target.label));
  }
  return labels;
}

/** Through this rule, beside what was shown of it or instead. */
function doubtfulGain({ id, json }: Rule): Gain {
  return { kind: GainKind.POSSIBLE, principal: whoIn(json), what: id, ruleIds: [id] };
}

/** No question has shown what. That a gate is gone or weaker is certain. */
function possibleGain(meaning: Meaning, { changed, meanings }: Direction): Gain {
  const gain = doubtfulGain(meaning.rule);
  const { id, gate } = meaning.rule;
  const isLost = meanings.gone.includes(meaning) && !coverIn(meanings)(meaning);
  if (gate === undefined || !isLost) return gain;
  const { gates, word } = changed.altered;
  return { ...gain, kind: GainKind.GATE_REMOVED, what: gates.has(id) ? `${id}, ${word}` : id };
}

/** Whom the scope of a rule leaves in, in words. */
function whoIn({ principal }: Rule['json']): string {
  if (principal.op === 'All') return 'anyone';
  if (principal.op === 'is') {
    const type = principal.entity_type.toLowerCase();
    const above = principal.in;
    if (above === undefined || !('entity' in above)) return type;
    const role = entityOf(above.entity)?.id ?? '';
    return type === 'user' ? role : `${type} of an ${role}`;
  }
  if (!('entity' in principal)) return 'anyone';
  const { type, id } = entityOf(principal.entity) ?? { type: '', id: '' };
  return type === 'Role' ? id : `${type.toLowerCase()}:${id}`;
}

/** What was denied because it did not fit may fit now. */
function schemaGain(before: RuleSet, after: RuleSet): readonly Gain[] {
  if (isDeepStrictEqual(before.schema, after.schema)) return [];
  const what = 'the schema that requests are checked against';
  return [{ kind: GainKind.POSSIBLE, principal: 'anyone', what, ruleIds: [] }];
}
