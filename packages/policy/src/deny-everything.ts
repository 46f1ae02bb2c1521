import { canonicalBytes, quote, sha256Hex } from '@palyra/kernel';
import { DecisionKind, type ToolProposal } from '@palyra/protocol';

export interface Judgement {
  readonly kind: DecisionKind;
  readonly reason: string;
  readonly help: string;
  readonly ruleIds: readonly string[];
  readonly policySetHash: string;
}

export interface PolicyEngine {
  /** Contract: never throws; whatever cannot be decided is a denial. */
  judge(proposal: ToolProposal): Promise<Judgement>;
}

/** Names the set of rules that a decision was made with: SHA-256 of `[]`, the set without a rule. */
export const EMPTY_POLICY_SET_HASH = sha256Hex(canonicalBytes([]));

/** The policy of a set without rules. Nothing in a proposal can move it. */
export function denyEverything(): PolicyEngine {
  return {
    judge: (proposal) =>
      Promise.resolve({
        kind: DecisionKind.DENY,
        reason: `no rule allows ${quote(proposal.tool)}`,
        help: 'this build has no rules yet, so nothing can be allowed; the README lists what is missing',
        ruleIds: [],
        policySetHash: EMPTY_POLICY_SET_HASH,
      }),
  };
}
