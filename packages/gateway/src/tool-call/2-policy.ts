import { type Log, PalyraError, redact } from '@palyra/kernel';
import { DecisionKind } from '@palyra/protocol';
import type { Judgement, PolicyPort } from '../ports.ts';
import type { Proposed } from './1-proposal.ts';

/** A judgement, and for a call that policy was not asked about the fault that stands in for it. */
export interface Judged extends Judgement {
  readonly fault?: PalyraError;
}

/** Contract: never throws. An unsound proposal and a policy that fails both end in a denial. */
export async function judge(
  proposed: Proposed,
  { policy, log }: { readonly policy: PolicyPort; readonly log: Log },
): Promise<Judged> {
  if (proposed.kind === 'unsound') return denial(proposed.fault);
  try {
    return await policy.judge(proposed.proposal);
  } catch (reason) {
    return policyFailed(reason, log);
  }
}

/** The cause goes to the log; the decision says only that nobody could decide. */
export function policyFailed(reason: unknown, log: Log): Judged {
  log.error('policy failed, the call is denied', { error: redact(reason) });
  return denial(
    new PalyraError('POLICY_DENIED', 'the policy could not be evaluated', {
      cause: reason,
      help: 'look at the daemon log around this time',
    }),
  );
}

function denial(fault: PalyraError): Judged {
  const { message, help } = fault;
  return { kind: DecisionKind.DENY, reason: message, help, ruleIds: [], policySetHash: '', fault };
}
