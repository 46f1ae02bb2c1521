import type { PolicyRequest, Rule } from '../model.ts';
import {
  type ApprovalTerms,
  UTMOST_TERMS,
  approvalOn,
  asksFor,
  termsOf,
} from './approval-terms.ts';
import { inContext, isAllowed, rulesOf } from './evaluation.ts';
import type { Evaluation, LoadedSet } from './loaded-set.ts';

/** What would still stand in the way: the rules, or none when no rule allows it. */
export interface Obstacle extends Pick<Evaluation, 'errors' | 'fault'> {
  readonly rules: readonly Rule[];
}

/**
 * Why no approval would help; `undefined` when one would. Each gate is tried with just what it asks
 * for itself, and all of them with the utmost. Were they tried with one approval that suits all that
 * fired, then one more gate could make it so strong that another one opens, and adding a rule that
 * forbids would allow more.
 */
export function obstacleToApproval(
  loaded: LoadedSet,
  request: PolicyRequest,
  gates: readonly Rule[],
): Obstacle | undefined {
  const terms = termsOf(gates);
  for (const trial of terms.length > 1 ? [...terms, UTMOST_TERMS] : terms) {
    const others = gates.filter((gate) => trial !== UTMOST_TERMS && !asksFor(gate, trial));
    const obstacle = tryApproval(loaded, request, { trial, others });
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

interface Trial {
  readonly trial: ApprovalTerms;
  /** Gates that ask for something else and may stay shut. */
  readonly others: readonly Rule[];
}

function tryApproval(
  loaded: LoadedSet,
  request: PolicyRequest,
  { trial, others }: Trial,
): Obstacle | undefined {
  const evaluation = loaded.evaluate(inContext(request, { approval: approvalOn(trial) }));
  if (isAllowed(evaluation)) return undefined;
  const { ruleIds, errors, fault } = evaluation;
  const rules = rulesOf(ruleIds, loaded.set.rules).filter((rule) => !others.includes(rule));
  const isOnlyOthers = ruleIds.length > 0 && rules.length === 0 && errors.length === 0;
  if (isOnlyOthers) return undefined;
  return { rules, errors, ...(fault === undefined ? {} : { fault }) };
}
