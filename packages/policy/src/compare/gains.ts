import { isDeepStrictEqual } from 'node:util';
import { GainKind } from '@palyra/protocol';
import type { Rule, RuleSet } from '../model.ts';
import type { Changed } from './answer.ts';
import type { Gain } from './difference.ts';
import { type Finding, type Member, discoveriesIn, findingOf } from './finding.ts';
import { entityOf } from './literal.ts';
import type { Pair } from './lots.ts';
import { statementsOf } from './statement.ts';
import { type Meanings, suspectsBetween } from './suspects.ts';

/** From one set to the other, whichever was first. */
export interface Direction {
  readonly before: RuleSet;
  readonly after: RuleSet;
  readonly changed: Changed;
  readonly meanings: Meanings;
}

/** What was answered to all pairs of a lot. */
export interface AnsweredLot extends Omit<Member, 'target'> {
  readonly pairs: readonly Pair[];
}

export function gainsIn(lots: readonly AnsweredLot[], direction: Direction): readonly Gain[] {
  const { changed, before, after, meanings } = direction;
  const findings = togetherIfAlike(
    lots.flatMap((lot) => findingsIn(lot, changed)),
    lots,
  );
  const blamed = new Set(findings.flatMap(({ ruleIds }) => ruleIds));
  const unshown = suspectsBetween(before, after, meanings).filter(({ id }) => !blamed.has(id));
  return [
    ...statementsOf(findings),
    ...unshown.map((rule) => possibleGain(rule, direction)),
    ...schemaGain(before, after),
  ];
}

interface PairFinding extends Finding {
  readonly pair: Pair;
}

function findingsIn({ pairs, ...lot }: AnsweredLot, changed: Changed): readonly PairFinding[] {
  const [first] = pairs;
  if (first === undefined) return [];
  const discoveries = discoveriesIn({ ...lot, target: first.target }, changed);
  return pairs.flatMap((pair) =>
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

/** Through this rule, and no question has shown what. That a gate is gone or weaker is certain. */
function possibleGain(rule: Rule, { changed, meanings }: Direction): Gain {
  const { id, json, gate } = rule;
  const gain = { principal: whoIn(json), ruleIds: [id] };
  const isLostGate = gate !== undefined && meanings.gone.some((lost) => lost.rule === rule);
  if (!isLostGate) return { ...gain, kind: GainKind.POSSIBLE, what: id };
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
