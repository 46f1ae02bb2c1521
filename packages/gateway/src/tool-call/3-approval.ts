import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import {
  DecisionKind,
  type ToolDecision,
  ToolDecisionSchema,
  type ToolProposal,
} from '@palyra/protocol';
import type { GatewayParts } from '../parts.ts';
import type { ApprovalAnswer, Judgement } from '../ports.ts';
import { policyFailed } from './2-policy.ts';

/**
 * Proof that one proposal was decided and, where asked for, approved: the only key to execution.
 * INVARIANT: made in this file alone. The private field keeps any other object from having the type,
 * and the class itself is not exported.
 */
class IssuedClearance {
  readonly #proposal: ToolProposal;

  constructor(proposal: ToolProposal) {
    this.#proposal = proposal;
  }

  /** What was judged is what runs: execution takes the proposal from here and nowhere else. */
  get proposal(): ToolProposal {
    return this.#proposal;
  }
}
export type Clearance = IssuedClearance;

export type Ruling =
  | { readonly kind: 'cleared'; readonly decision: ToolDecision; readonly clearance: Clearance }
  | { readonly kind: 'refused'; readonly decision: ToolDecision; readonly fault: PalyraError };

interface ApprovalContext {
  readonly parts: Pick<GatewayParts, 'approvals' | 'policy'>;
  readonly signal: AbortSignal;
}

/** Contract: never throws. Whatever is not a clear yes is a refusal. */
export async function approve(
  proposal: ToolProposal,
  judgement: Judgement,
  context: ApprovalContext,
): Promise<Ruling> {
  if (context.signal.aborted) return refused(proposal, judgement, { fault: cancelled() });
  if (judgement.kind === DecisionKind.ALLOW) return cleared(proposal, judgement);
  if (judgement.kind === DecisionKind.NEEDS_APPROVAL)
    return await ask(proposal, judgement, context);
  return refused(proposal, judgement, { fault: denied(judgement) });
}

async function ask(
  proposal: ToolProposal,
  judgement: Judgement,
  { parts, signal }: ApprovalContext,
): Promise<Ruling> {
  try {
    const answer = await parts.approvals.ask(proposal, judgement, signal);
    if (signal.aborted) return refused(proposal, judgement, { fault: cancelled() });
    if (answer.kind === 'denied') {
      return refused(proposal, judgement, { fault: denied(answer), answer });
    }
    // Policy, not plumbing, decides whether that approval suffices.
    const second = await parts.policy.judge(proposal, answer);
    if (second.kind === DecisionKind.ALLOW) return cleared(proposal, second, answer);
    return refused(proposal, second, { fault: denied(second), answer });
  } catch (reason) {
    if (signal.aborted) return refused(proposal, judgement, { fault: cancelled() });
    const fault = PalyraError.from(reason);
    const known = fault.code === 'APPROVAL_UNAVAILABLE';
    return refused(proposal, known ? judgement : policyFailed(), { fault });
  }
}

function cleared(proposal: ToolProposal, judgement: Judgement, answer?: ApprovalAnswer): Ruling {
  const decision = decide(proposal, judgement, { kind: DecisionKind.ALLOW, answer });
  return { kind: 'cleared', decision, clearance: new IssuedClearance(proposal) };
}

function refused(
  proposal: ToolProposal,
  judgement: Judgement,
  { fault, answer }: { readonly fault: PalyraError; readonly answer?: ApprovalAnswer },
): Ruling {
  const decision = decide(proposal, judgement, { kind: DecisionKind.DENY, answer });
  return { kind: 'refused', decision, fault };
}

function decide(
  proposal: ToolProposal,
  judgement: Judgement,
  outcome: { readonly kind: DecisionKind; readonly answer: ApprovalAnswer | undefined },
): ToolDecision {
  return create(ToolDecisionSchema, {
    callId: proposal.callId,
    fingerprint: proposal.fingerprint,
    kind: outcome.kind,
    reason: judgement.reason,
    help: judgement.help,
    ruleIds: [...judgement.ruleIds],
    policySetHash: judgement.policySetHash,
    approvalId: outcome.answer?.approvalId ?? '',
  });
}

function denied({
  reason,
  help,
}: {
  readonly reason: string;
  readonly help?: string;
}): PalyraError {
  return new PalyraError('POLICY_DENIED', reason, help === undefined ? {} : { help });
}

function cancelled(): PalyraError {
  return new PalyraError('CANCELLED', 'the run was cancelled before the call could start');
}
