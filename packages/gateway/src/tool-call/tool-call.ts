import { create } from '@bufbuild/protobuf';
import type { EntryDraft } from '@palyra/kernel';
import {
  type EgressConnection,
  type FileChange,
  type ToolDecision,
  type ToolProposal,
  type ToolResult,
  ToolStartedSchema,
} from '@palyra/protocol';
import type { GatewayParts } from '../parts.ts';
import type {
  Connecting,
  Execution,
  ExecutionPlace,
  ModelToolCall,
  OutputChunk,
} from '../ports.ts';
import type { RunBudget } from '../run/budget/run-budget.ts';
import { type Lane, OPEN_LANE } from '../run/parallel/lanes.ts';
import { ACTORS, type AskedRun, draftOf } from '../run/run-note.ts';
import type { RunStream } from '../run/run-stream.ts';
import type { TurnNote } from '../run/turn-note.ts';
import { type TaintLabel, labelsOf } from '../run/taint.ts';
import { propose } from './1-proposal.ts';
import { judge } from './2-policy.ts';
import { type Ruling, approve } from './3-approval.ts';
import { execute, refuse } from './4-sandbox.ts';
import { attest, resultOf } from './5-attestation.ts';
import { record } from './6-journal.ts';
import { ConnectionNotes } from './connection-notes.ts';
import { mayConnect } from './may-connect.ts';

export interface ToolCallContext {
  readonly parts: GatewayParts;
  readonly run: AskedRun;
  readonly stream: RunStream;
  readonly budget: RunBudget;
  /** What the run has seen. Every call that runs adds to it. */
  readonly taint: Set<TaintLabel>;
  /** It was proposed before, and a stop or a crash cut it off. */
  readonly wasCutOff?: boolean;
  /** Its place beside the other calls of its turn; absent when there are none. */
  readonly lane?: Lane;
  /** What the model said when it asked for the call; absent when that is on record already. */
  readonly turn?: Pick<TurnNote, 'record'>;
}

/**
 * One tool call, from what the model asked for to signed evidence. Every door leads here, and the
 * order of these lines is the security property.
 * Contract: every call ends in the journal, refused and failed ones too, and the result is returned;
 * it throws only when the journal cannot be written, and then nothing has run unrecorded.
 */
export async function callTool(
  call: ModelToolCall,
  context: ToolCallContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  return await context.budget.watch.call(() => walkThrough(call, context, signal));
}

async function walkThrough(
  call: ModelToolCall,
  context: ToolCallContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { parts, run, budget } = context;
  using lane = context.lane ?? OPEN_LANE;
  const limit = await budget.reserveCall(call.callId);
  const proposed = propose(call, run, parts.catalogue);
  const entryId = await noteProposal(proposed.proposal, context);

  const place = await parts.sandbox.place(proposed.proposal);
  const judging = { ...context, place, entryId, limit };
  const judged = await judge(proposed, judging);
  const draftsOf = (ruled: Ruling) => decisionDrafts(ruled, place, context);
  const asking = { ...judging, lane, signal, draftsOf };
  const ruling = await approve(proposed.proposal, judged, asking);
  if (ruling.isRecorded !== true) await note(context, draftsOf(ruling));

  // What a person needed to answer is not the call's time.
  const startedAt = parts.clock.now();
  const execution = await carryOut(ruling, { ...context, place }, signal);
  const result = await conclude({ decision: ruling.decision, execution, startedAt }, context);
  if (ruling.kind === 'cleared') {
    for (const label of labelsOf({ ...proposed, decision: ruling.decision }))
      context.taint.add(label);
  }
  return result;
}

interface Conclusion {
  readonly decision: ToolDecision;
  readonly execution: Execution;
  readonly startedAt: Date;
}

/** The last three stages: evidence, journal, stream. Every call ends here, however it went. */
export async function conclude(
  { decision, execution, startedAt }: Conclusion,
  context: ToolCallContext,
): Promise<ToolResult> {
  const { parts, run } = context;
  const times = { startedAt, endedAt: parts.clock.now() };
  const result = resultOf(decision.callId, execution, times);
  const previousHash = parts.journal.tip().hash;
  const facts = { decision, execution, run, previousHash, ...times };
  const attestation = attest(facts, parts.attestor);
  await note(context, [
    draftOf(run, { kind: 'tool.finished', actor: ACTORS.gateway, message: result }),
    draftOf(run, { kind: 'tool.attested', actor: ACTORS.gateway, message: attestation }),
  ]);
  return result;
}

/** Together with what the model said, or after it. Gives the id of the entry. */
async function noteProposal(proposal: ToolProposal, context: ToolCallContext): Promise<string> {
  const { run, parts, turn } = context;
  const kind = 'tool.proposed';
  const drafts = [draftOf(run, { kind, actor: ACTORS.agent, message: proposal })];
  const entries = await (turn?.record(drafts) ?? record(drafts, parts.journal));
  return entries.at(-1)?.id ?? '';
}

/** The start is on record before anything is spawned: after a crash nobody runs the call again. */
function decisionDrafts(
  ruling: Ruling,
  { executor }: ExecutionPlace,
  { run }: ToolCallContext,
): readonly EntryDraft[] {
  const { callId } = ruling.decision;
  const decided = draftOf(run, {
    kind: 'tool.decided',
    actor: ACTORS.gateway,
    message: ruling.decision,
  });
  if (ruling.kind === 'refused') return [decided];
  const message = create(ToolStartedSchema, { callId, executor });
  return [decided, draftOf(run, { kind: 'tool.started', actor: ACTORS.gateway, message })];
}

/** Contract: everything that it connected to is on record when it resolves. */
async function carryOut(
  ruling: Ruling,
  context: ToolCallContext & { readonly place: ExecutionPlace },
  signal: AbortSignal,
): Promise<Execution> {
  if (ruling.kind === 'refused') return refuse(ruling.fault);
  const { clearance, decision } = ruling;
  const { executor } = context.place;
  const { policySetHash } = decision;
  const connections = new ConnectionNotes((connection) => noteConnection(connection, context));
  const hooks = {
    mayConnect: (to: Connecting) => mayConnect(to, { ...context, decision }),
    onConnection: (connection: EgressConnection) => connections.add(connection),
    onFileChange: (change: FileChange) => noteFileChange(change, context),
    onOutput: (chunk: OutputChunk) => context.stream.print(decision.callId, chunk),
  };
  const executing = { ...context.parts, policySetHash, executor, hooks };
  const execution = await execute(clearance, executing, signal);
  await connections.recorded();
  return { ...execution, reached: connections.reached };
}

async function noteFileChange(message: FileChange, context: ToolCallContext): Promise<void> {
  const kind = 'file.changed';
  await note(context, [draftOf(context.run, { kind, actor: ACTORS.agent, message })]);
}

async function noteConnection(message: EgressConnection, context: ToolCallContext): Promise<void> {
  const kind = 'sandbox.connected';
  await note(context, [draftOf(context.run, { kind, actor: ACTORS.agent, message })]);
}

async function note({ parts }: ToolCallContext, drafts: readonly EntryDraft[]): Promise<void> {
  await record(drafts, parts.journal);
}
