import { isDeepStrictEqual } from 'node:util';
import { createEngine } from '../engine/engine.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { Rule, RuleSet } from '../model.ts';
import { schemaPart } from './schema-part.ts';
import { actionsOf, withFollowers } from './scope.ts';

/**
 * Two sets to compare, loaded as far as they can differ: rules about actions that no changed rule is
 * about are not asked, and reading them is most of what loading costs.
 * Contract: to be asked about those actions only.
 */
export async function loadComparable(
  old: RuleSet,
  candidate: RuleSet,
): Promise<readonly [LoadedSet, LoadedSet]> {
  const changed = [...missingIn(candidate, old), ...missingIn(old, candidate)];
  const engine = createEngine();
  const before = await engine.load(partOf(old, changed), 'scratch');
  const after = await engine.load(partOf(candidate, changed), 'candidate');
  return [whole(before, old), whole(after, candidate)];
}

function missingIn({ rules }: RuleSet, other: RuleSet): readonly Rule[] {
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  return other.rules.filter(({ id, json }) => !isDeepStrictEqual(known.get(id)?.json, json));
}

function partOf(set: RuleSet, changed: readonly Rule[]): RuleSet {
  const actions = actionsOf(changed, set.schema);
  const isAsked = (rule: Rule) => !actionsOf([rule], set.schema).isDisjointFrom(actions);
  return {
    ...set,
    rules: set.rules.filter(isAsked),
    schema: schemaPart(set.schema, withFollowers(actions)),
  };
}

function whole(part: LoadedSet, set: RuleSet): LoadedSet {
  return { set, evaluate: (request) => part.evaluate(request) };
}
