import type { Evaluation, LoadedSet } from '../engine/loaded-set.ts';
import type { Rule } from '../model.ts';
import type { Workbench } from './workbench.ts';

/** Permits that come on top, and forbids that stand in the place of one with the same id. */
export interface Change {
  readonly added: readonly Rule[];
  readonly amended: readonly Rule[];
  /**
   * Permits of the set that could apply once a forbid is gone: a denial does not tell which do.
   * Leaving one out can only turn the answer into a denial.
   */
  readonly permits: readonly Rule[];
}

/**
 * The set with a change, without loading all of it again: what Cedar answers depends only on which
 * forbids and which permits apply, so the answers of both parts make the answer of the whole.
 */
export function changedSet(
  loaded: LoadedSet,
  { added, amended, permits }: Change,
  workbench: Workbench,
): LoadedSet {
  const ids = new Set(amended.map(({ id }) => id));
  const kept = loaded.set.rules.filter(({ id }) => !ids.has(id));
  const tried = [...(amended.length === 0 ? [] : permits), ...amended, ...added];
  const part = workbench.load({ ...loaded.set, rules: tried });
  return {
    set: { ...loaded.set, rules: [...kept, ...amended, ...added] },
    evaluate: (request) => together(without(loaded.evaluate(request), ids), part.evaluate(request)),
  };
}

function without(evaluation: Evaluation, ids: ReadonlySet<string>): Evaluation {
  return { ...evaluation, ruleIds: evaluation.ruleIds.filter((id) => !ids.has(id)) };
}

function together(one: Evaluation, other: Evaluation): Evaluation {
  const errors = [...one.errors, ...other.errors];
  const idsOf = (decision: 'allow' | 'deny') => [
    ...new Set([one, other].flatMap((part) => (part.decision === decision ? part.ruleIds : []))),
  ];
  const forbids = idsOf('deny');
  if (errors.length > 0 || forbids.length > 0)
    return { decision: 'deny', ruleIds: forbids, errors };
  const permits = idsOf('allow');
  return { decision: permits.length > 0 ? 'allow' : 'deny', ruleIds: permits, errors };
}
