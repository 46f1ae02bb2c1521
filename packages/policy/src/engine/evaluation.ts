import type { PolicyContext, PolicyRequest, Rule } from '../model.ts';
import type { Evaluation } from './loaded-set.ts';

export function isAllowed({ decision, errors }: Evaluation): boolean {
  return decision === 'allow' && errors.length === 0;
}

/** In the order of the set. */
export function rulesOf(ruleIds: readonly string[], rules: readonly Rule[]): readonly Rule[] {
  return rules.filter(({ id }) => ruleIds.includes(id));
}

export function isGate({ effect, gate }: Rule): boolean {
  return effect === 'forbid' && gate !== undefined;
}

export function inContext(request: PolicyRequest, more: PolicyContext): PolicyRequest {
  return { ...request, context: { ...request.context, ...more } };
}
