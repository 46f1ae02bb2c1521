import { create } from '@bufbuild/protobuf';
import {
  type PolicyExplanation,
  PolicyExplanationSchema,
  type ToolDecision,
} from '@palyra/protocol';

/** Of a decision that the rules had no part in, which is all that there is to tell. */
export function explainUnasked(decision: ToolDecision): PolicyExplanation {
  const { kind, reason, help, policySetHash, policyEngine } = decision;
  return create(PolicyExplanationSchema, {
    kind,
    reason,
    help,
    missing: [policySetHash === '' ? NOT_ASKED : UNSOUND],
    policySetHash,
    engine: policyEngine,
  });
}

/** Its rules are on record, because they would have been asked next. */
const UNSOUND = 'the call never reached the rules: its arguments are not sound';
const NOT_ASKED = 'the call never reached the rules: they could not be asked about it';
