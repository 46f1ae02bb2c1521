import { DecisionKind } from '@palyra/protocol';
import type { Judgement, PolicyPort } from '../ports.ts';
import type { Proposed } from './1-proposal.ts';

/** Contract: never throws. An unsound proposal and a policy that fails both end in a denial. */
export async function judge(proposed: Proposed, policy: PolicyPort): Promise<Judgement> {
  if (proposed.kind === 'unsound') {
    const { message, help } = proposed.fault;
    return denial(message, help);
  }
  try {
    return await policy.judge(proposed.proposal);
  } catch {
    return policyFailed();
  }
}

export function policyFailed(): Judgement {
  return denial('the policy could not be evaluated', 'look at the daemon log around this time');
}

function denial(reason: string, help: string): Judgement {
  return { kind: DecisionKind.DENY, reason, help, ruleIds: [], policySetHash: '' };
}
