import { type Log, PalyraError, redact } from '@palyra/kernel';
import { DecisionKind, type ToolProposal } from '@palyra/protocol';
import type { GatewayParts } from '../parts.ts';
import type { ExecutionPlace, GrantedApproval, JudgedCall, Judgement } from '../ports.ts';
import type { LimitReached } from '../run/limit-reached.ts';
import type { AskedRun } from '../run/run-note.ts';
import type { TaintLabel } from '../run/taint.ts';
import type { Proposed } from './1-proposal.ts';

/** A judgement, and for a call that policy was not asked about the fault that stands in for it. */
export interface Judged extends Judgement {
  readonly fault?: PalyraError;
}

export interface JudgeContext {
  readonly parts: Pick<GatewayParts, 'policy' | 'policyDesk' | 'identity' | 'catalogue' | 'log'>;
  readonly run: AskedRun;
  /** Where it would run. */
  readonly place: ExecutionPlace;
  /** The entry of the proposal: by its id people ask why. */
  readonly entryId: string;
  /** What the run has seen until now. */
  readonly taint: ReadonlySet<TaintLabel>;
  /** Set when the call is one too many. */
  readonly limit: LimitReached | undefined;
}

/** Contract: never throws. An unsound proposal and a policy that fails both end in a denial. */
export async function judge(proposed: Proposed, context: JudgeContext): Promise<Judged> {
  const { policyDesk } = context.parts;
  if (proposed.kind === 'unsound') return denial(proposed.fault, policyDesk.health().policySetHash);
  return await ask(proposed.proposal, context);
}

/**
 * The same question, now that a person has said yes: policy, not plumbing, decides whether that
 * suffices. Everything is looked up anew, because an approval may take hours.
 * Contract: never throws.
 */
export async function judgeApproved(
  proposal: ToolProposal,
  approval: GrantedApproval,
  context: JudgeContext,
): Promise<Judged> {
  return await ask(proposal, context, approval);
}

async function ask(
  proposal: ToolProposal,
  context: JudgeContext,
  approval?: GrantedApproval,
): Promise<Judged> {
  const { policy, log } = context.parts;
  try {
    const judgement = await policy.judge(await behind(proposal, context), approval);
    if (context.limit !== undefined) return beyondLimit(judgement, context.limit);
    return judgement.kind === DecisionKind.DENY ? askable(judgement, context) : judgement;
  } catch (reason) {
    return policyFailed(reason, log);
  }
}

/** The rules were told; whatever they make of it, the call is one too many. */
function beyondLimit(judgement: Judgement, fault: LimitReached): Judged {
  const { message: reason, help } = fault;
  return { ...judgement, kind: DecisionKind.DENY, reason, help, gates: [], fault };
}

/** The rules do not know under which id the call is on record; whoever reads their help needs it. */
function askable(judgement: Judgement, { entryId }: JudgeContext): Judgement {
  const { asked, help } = judgement;
  if (asked === undefined) return judgement;
  const command = `\`palyra policy explain ${entryId}\``;
  if (help.includes(EXPLAIN)) return { ...judgement, help: help.replace(EXPLAIN, command) };
  return { ...judgement, help: `${help === '' ? '' : `${help}; `}${command} tells why` };
}

const EXPLAIN = '`palyra policy explain`';

/** INVARIANT: rights are those of this moment; what was taken back since the run began is gone. */
async function behind(
  proposal: ToolProposal,
  { parts, run, place, taint, limit }: JudgeContext,
): Promise<JudgedCall> {
  const { principal, channel, deviceId } = run;
  const standing = await parts.identity.access.standing(principal, deviceId);
  const source = parts.catalogue.find(proposal.tool)?.source ?? '';
  return {
    proposal,
    source,
    standing,
    channel,
    deviceId,
    tier: place.tier,
    taint: [...taint],
    budget: limit === undefined ? 'within' : 'exhausted',
  };
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

/** The set that was in force is named also where it was not asked. */
function denial(fault: PalyraError, policySetHash = ''): Judged {
  const { message, help } = fault;
  return {
    kind: DecisionKind.DENY,
    reason: message,
    help,
    ruleIds: [],
    policySetHash,
    gates: [],
    engine: '',
    fault,
  };
}
