import { create } from '@bufbuild/protobuf';
import {
  type DecisionKind,
  type PolicyExplanation,
  PolicyExplanationSchema,
  type PolicyGate,
  PolicyGateSchema,
  PolicyLayer,
  type PolicyRule,
  PolicyRuleSchema,
} from '@palyra/protocol';
import type { Layer, PolicyRequest, Rule } from '../model.ts';
import type { OfferEffect } from './smallest-rule.ts';

/** A decision as a person can act on it; `palyra.v1.PolicyExplanation` on the wire. */
export interface Explanation {
  readonly kind: DecisionKind;
  readonly reason: string;
  readonly help: string;
  /** That decided, the deciding ones first. */
  readonly rules: readonly Rule[];
  readonly gates: readonly Rule[];
  readonly errors: readonly string[];
  /** What the rules were asked, with secrets taken out. */
  readonly request: PolicyRequest;
  /** What would have had to be otherwise, in words. */
  readonly missing: readonly string[];
  /** Empty when no rule could. */
  readonly smallestRule: string;
  readonly smallestRuleEffect: OfferEffect | '';
  readonly policySetHash: string;
  readonly engine: string;
}

export function toMessage(explanation: Explanation): PolicyExplanation {
  const { rules, gates, errors, missing, request, ...others } = explanation;
  return create(PolicyExplanationSchema, {
    ...others,
    rules: rules.map(ruleMessage),
    gates: gates.flatMap((rule) => gateMessage(rule) ?? []),
    errors: [...errors],
    missing: [...missing],
    request: {
      principal: request.principal,
      action: request.action,
      resource: request.resource,
      context: { ...request.context },
      entities: request.entities.map(({ uid, attrs, parents }) => ({
        uid,
        attrs,
        parents: [...parents],
      })),
    },
  });
}

export function ruleMessage(rule: Rule): PolicyRule {
  const { id, file, line, effect, text, annotations } = rule;
  return create(PolicyRuleSchema, {
    id,
    file,
    line,
    effect,
    text,
    annotations: { ...annotations },
    layer: LAYERS_ON_THE_WIRE[rule.layer],
  });
}

/** What a gate demands; `undefined` for a rule that is none. */
export function gateMessage({ id, annotations, gate }: Rule): PolicyGate | undefined {
  if (gate === undefined) return undefined;
  return create(PolicyGateSchema, { ...gate, ruleId: id, says: annotations['says'] ?? '' });
}

const LAYERS_ON_THE_WIRE = {
  'built-in': PolicyLayer.BUILT_IN,
  admin: PolicyLayer.ADMIN,
  operator: PolicyLayer.OPERATOR,
  workspace: PolicyLayer.WORKSPACE,
} as const satisfies Record<Layer, PolicyLayer>;
