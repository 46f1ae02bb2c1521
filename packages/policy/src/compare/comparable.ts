import { isDeepStrictEqual } from 'node:util';
import { createEngine, type LoadAtOnce } from '../engine/engine.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { Slot } from '../engine/slots.ts';
import type { Rule, RuleSet } from '../model.ts';
import { schemaPart } from './schema-part.ts';
import { actionsOf, withFollowers } from './scope.ts';

/** A set of which Cedar is shown only what may have a say in a question. */
export interface Comparable {
  readonly set: RuleSet;
  /**
   * As if it held these and no others: each rule that Cedar reads and looks at costs, and of thousands
   * only a few ever meet. Contract: the id of each is its place among them, since two may have the same
   * as they were and as they are. Good until the next call.
   */
  under(rules: readonly Rule[]): LoadedSet;
  /** Whether Cedar has read just these last. */
  holds(rules: readonly Rule[]): boolean;
}

/** Contract: to be asked about actions only that a changed rule is about. */
export async function comparable(
  old: RuleSet,
  candidate: RuleSet,
): Promise<{ readonly old: Comparable; readonly candidate: Comparable }> {
  const changed = [...missingIn(candidate, old), ...missingIn(old, candidate)];
  const load = await createEngine().atOnce();
  return {
    old: askedInPart(old, changed, { load, slot: 'scratch' }),
    candidate: askedInPart(candidate, changed, { load, slot: 'candidate' }),
  };
}

function missingIn({ rules }: RuleSet, other: RuleSet): readonly Rule[] {
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  return other.rules.filter(({ id, json }) => !isDeepStrictEqual(known.get(id)?.json, json));
}

interface Loading {
  readonly load: LoadAtOnce;
  readonly slot: Slot;
}

function askedInPart(set: RuleSet, changed: readonly Rule[], { load, slot }: Loading): Comparable {
  const schema = schemaPart(set.schema, withFollowers(actionsOf(changed, set.schema)));
  let read: readonly Rule[] = [];
  let last: LoadedSet | undefined;
  const holds = (rules: readonly Rule[]) =>
    last !== undefined &&
    read.length === rules.length &&
    rules.every((one, at) => one === read[at]);
  return {
    set,
    holds,
    under: (rules) => {
      if (last !== undefined && holds(rules)) return last;
      const placed = rules.map((rule, place) => ({ ...rule, id: String(place) }));
      last = load({ ...set, rules: placed, schema }, slot);
      read = rules;
      return last;
    },
  };
}
