import { create } from '@bufbuild/protobuf';
import { type EntryDraft, PalyraError, redact } from '@palyra/kernel';
import {
  type CallPreview,
  DecisionKind,
  type ToolDecision,
  ToolDecisionSchema,
  type ToolProposal,
} from '@palyra/protocol';
import type { GatewayParts } from '../parts.ts';
import type { ApprovalAnswer, GrantedAnswer } from '../ports.ts';
import type { RunBudget } from '../run/budget/run-budget.ts';
import type { Lane } from '../run/parallel/lanes.ts';
import { isInterrupted } from '../run/stop.ts';
import { type JudgeContext, type Judged, judge, judgeApproved, policyFailed } from './2-policy.ts';

/**
 * Proof that one proposal was decided and, where asked for, approved: the only key to execution.
 * INVARIANT: made in this file alone. The private field keeps any other object from having the type,
 * and the class itself is not exported.
 */
class IssuedClearance {
  readonly #proposal: ToolProposal;
  readonly #shown: CallPreview | undefined;

  constructor(proposal: ToolProposal, shown: CallPreview | undefined) {
    this.#proposal = proposal;
    this.#shown = shown;
  }

  /** What was judged is what runs: execution takes the proposal from here and nowhere else. */
  get proposal(): ToolProposal {
    return this.#proposal;
  }

  /** What was shown is what runs: absent where nobody was asked about this very call. */
  get shown(): CallPreview | undefined {
    return this.#shown;
  }
}
export type Clearance = IssuedClearance;

export type Ruling = (
  | { readonly kind: 'cleared'; readonly clearance: Clearance }
  | { readonly kind: 'refused'; readonly fault: PalyraError }
) & {
  readonly decision: ToolDecision;
  /** The decision is durable already, with the use of the grant that it rests on. */
  readonly isRecorded?: boolean;
};

interface ApprovalContext extends JudgeContext {
  readonly parts: JudgeContext['parts'] & Pick<GatewayParts, 'approvals' | 'sandbox'>;
  readonly budget: Pick<RunBudget, 'reserveQuestion' | 'watch'>;
  readonly lane: Lane;
  readonly wasCutOff?: boolean;
  readonly signal: AbortSignal;
  /** How a decision is recorded. */
  readonly draftsOf: (ruling: Ruling) => readonly EntryDraft[];
}

/**
 * Contract: whatever is not a clear yes is a refusal. Throws only when the run is cut off while
 * somebody is asked: the question then waits for the run to go on.
 */
export async function approve(
  proposal: ToolProposal,
  judged: Judged,
  context: ApprovalContext,
): Promise<Ruling> {
  if (context.signal.aborted) return refused(proposal, judged, { fault: cancelled() });
  if (judged.kind === DecisionKind.ALLOW) return await allow(proposal, judged, context);
  return await askOrRefuse(proposal, judged, context);
}

/** INVARIANT: what was decided before others ran beside it is decided again when they are done. */
async function allow(
  proposal: ToolProposal,
  judged: Judged,
  context: ApprovalContext,
): Promise<Ruling> {
  const { lane, signal } = context;
  try {
    if ((await lane.enter(signal)) === 'at-once') return cleared(proposal, judged);
  } catch {
    // Nothing but the signal makes it reject.
    if (isInterrupted(signal)) throw signal.reason;
    return refused(proposal, judged, { fault: cancelled() });
  }
  const again = await judge({ kind: 'sound', proposal }, context);
  if (signal.aborted) return refused(proposal, again, { fault: cancelled() });
  if (again.kind === DecisionKind.ALLOW) return cleared(proposal, again);
  return await askOrRefuse(proposal, again, context);
}

async function askOrRefuse(
  proposal: ToolProposal,
  judged: Judged,
  context: ApprovalContext,
): Promise<Ruling> {
  if (judged.kind === DecisionKind.NEEDS_APPROVAL) return await ask(proposal, judged, context);
  return refused(proposal, judged, { fault: judged.fault ?? denied(judged) });
}

async function ask(
  proposal: ToolProposal,
  judged: Judged,
  context: ApprovalContext,
): Promise<Ruling> {
  const { parts, signal } = context;
  try {
    const { gates, policySetHash } = judged;
    const { budget, wasCutOff = false } = context;
    const reserve = () => budget.reserveQuestion();
    const preview = () => parts.sandbox.preview(proposal);
    const early: { ruling?: Ruling } = {};
    const alongside = async (answer: GrantedAnswer) => {
      const ruling = await decideEarly(proposal, { asked: judged, answer }, context);
      if (ruling === undefined) return [];
      early.ruling = ruling;
      return context.draftsOf(ruling);
    };
    const asked = { proposal, gates, policySetHash, wasCutOff };
    const wait = (waiting: () => Promise<void>) => budget.watch.wait(waiting);
    const question = { ...asked, reserve, preview, wait };
    // One that waits for others of its turn is decided after that.
    const asking = context.lane.isAlone ? { ...question, alongside } : question;
    const answer = await parts.approvals.ask(asking, signal);
    if (answer.kind === 'granted' && answer.isDecided === true && early.ruling !== undefined) {
      return { ...early.ruling, isRecorded: true };
    }
    if (signal.aborted) return refused(proposal, judged, { fault: cancelled() });
    if (answer.kind === 'denied') {
      return refused(proposal, judged, { fault: denied(answer), answer });
    }
    await context.lane.enter(signal);
    return await decideAnswered(proposal, { asked: judged, answer }, context);
  } catch (reason) {
    if (isInterrupted(signal)) throw signal.reason;
    if (signal.aborted) return await withdrawn(proposal, judged, context);
    const fault = PalyraError.from(reason);
    if (NOBODY_ASKED.has(fault.code)) return refused(proposal, judged, { fault });
    const failed = policyFailed(reason, parts.log);
    return refused(proposal, failed, { fault: failed.fault ?? fault });
  }
}

interface Answered {
  /** What people were asked about. */
  readonly asked: Judged;
  readonly answer: GrantedAnswer;
}

async function decideAnswered(
  proposal: ToolProposal,
  answered: Answered,
  before: ApprovalContext,
): Promise<Ruling> {
  const again = await lookAgain(proposal, before);
  return (
    (await decideUnder(proposal, answered, again)) ??
    (await ask(proposal, again.now, again.context))
  );
}

/**
 * The same before the use of the grant is recorded, so that both share a commit. Contract:
 * `undefined` where somebody has to be asked after all.
 */
async function decideEarly(
  proposal: ToolProposal,
  answered: Answered,
  before: ApprovalContext,
): Promise<Ruling | undefined> {
  await before.lane.enter(before.signal);
  return await decideUnder(proposal, answered, await lookAgain(proposal, before));
}

interface LookedAgain {
  readonly now: Judged;
  readonly context: ApprovalContext;
}

/** What was true when it was asked may not be any more: hours pass, rules change, the run sees more. */
async function lookAgain(proposal: ToolProposal, before: ApprovalContext): Promise<LookedAgain> {
  const context = { ...before, place: await before.parts.sandbox.place(proposal) };
  return { now: await judge({ kind: 'sound', proposal }, context), context };
}

/** INVARIANT: a yes counts for the gates that were asked about; `undefined` when there is another one. */
async function decideUnder(
  proposal: ToolProposal,
  { asked, answer }: Answered,
  { now, context }: LookedAgain,
): Promise<Ruling | undefined> {
  const { signal } = context;
  if (signal.aborted) return refused(proposal, now, { fault: cancelled(), answer });
  if (now.kind === DecisionKind.DENY || now.kind === DecisionKind.UNSPECIFIED) {
    return refused(proposal, now, { fault: now.fault ?? denied(now), answer });
  }
  const known = new Set(asked.gates.map(({ ruleId }) => ruleId));
  if (!now.gates.every(({ ruleId }) => known.has(ruleId))) return undefined;
  const second = await judgeApproved(proposal, answer, context);
  if (signal.aborted) return refused(proposal, second, { fault: cancelled(), answer });
  if (second.kind === DecisionKind.ALLOW) {
    return cleared(proposal, { ...second, gates: now.gates }, answer);
  }
  return refused(proposal, second, { fault: second.fault ?? denied(second), answer });
}

const NOBODY_ASKED: ReadonlySet<string> = new Set(['APPROVAL_UNAVAILABLE', 'RUN_LIMIT_REACHED']);

/** Nobody waits for the answer any more, so nobody is to be asked. */
async function withdrawn(
  proposal: ToolProposal,
  judged: Judged,
  { parts }: ApprovalContext,
): Promise<Ruling> {
  try {
    await parts.approvals.withdraw(proposal.fingerprint);
  } catch (reason) {
    // The call is refused all the same; what stays open ends with its time.
    parts.log.error('a question could not be withdrawn', { error: redact(reason) });
  }
  return refused(proposal, judged, { fault: cancelled() });
}

function cleared(proposal: ToolProposal, judged: Judged, answer?: ApprovalAnswer): Ruling {
  const { reason, help } = judged;
  const outcome = { kind: DecisionKind.ALLOW, reason, help, answer };
  const shown = answer?.kind === 'granted' ? answer.shown : undefined;
  const clearance = new IssuedClearance(proposal, shown);
  return { kind: 'cleared', decision: decide(proposal, judged, outcome), clearance };
}

/** The decision says why it was refused, which is not always what policy had said before. */
function refused(
  proposal: ToolProposal,
  judged: Judged,
  { fault, answer }: { readonly fault: PalyraError; readonly answer?: ApprovalAnswer },
): Ruling {
  const { message: reason, help } = fault;
  const outcome = { kind: DecisionKind.DENY, reason, help, answer };
  return { kind: 'refused', decision: decide(proposal, judged, outcome), fault };
}

interface Outcome {
  readonly kind: DecisionKind;
  readonly reason: string;
  readonly help: string;
  readonly answer: ApprovalAnswer | undefined;
}

function decide(proposal: ToolProposal, judged: Judged, outcome: Outcome): ToolDecision {
  const { kind, reason, help, answer } = outcome;
  return create(ToolDecisionSchema, {
    callId: proposal.callId,
    fingerprint: proposal.fingerprint,
    kind,
    reason,
    help,
    ruleIds: [...judged.ruleIds],
    policySetHash: judged.policySetHash,
    approvalId: answer?.approvalId ?? '',
    gates: [...judged.gates],
    policyEngine: judged.engine,
    ...(judged.asked === undefined ? {} : { asked: judged.asked }),
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
