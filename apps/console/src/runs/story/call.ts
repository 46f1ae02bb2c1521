import {
  type ApprovalNote,
  type ApprovalVoice,
  type EgressConnection,
  type Executor,
  type FileChange,
  type ToolAttestation,
  type ToolDecision,
  type ToolProposal,
  type ToolResult,
} from '@palyra/protocol';
import { type LiveOutput, NO_OUTPUT } from './output.ts';

/** Of what a call answered so many characters are kept; `readOutput` has all of it. */
export const MAX_KEPT_OUTPUT = 16 * 1024;
/** Longer arguments are not kept; `readProposal` has them. */
export const MAX_KEPT_ARGUMENTS = 64 * 1024;
/** Connections and changes of one call; the journal has all. */
export const MAX_KEPT_NOTES = 200;

/** One tool call, as far as its events have told of it. */
export interface CallStory {
  readonly callId: string;
  readonly runId: string;
  readonly proposal: ToolProposal;
  /** Of its proposal, by which what is not kept is read again. */
  readonly proposedAt: bigint;
  readonly hasAllArguments: boolean;
  /** What the model wrote, to the letter, where no arguments could be read from it. */
  readonly written: string | undefined;
  readonly decision: ToolDecision | undefined;
  /** What was last heard of the question about it. */
  readonly asked: ApprovalNote | undefined;
  readonly voices: readonly ApprovalVoice[];
  readonly executor: Executor | undefined;
  readonly live: LiveOutput;
  readonly changes: readonly FileChange[];
  readonly connections: readonly EgressConnection[];
  readonly notesLeftOut: number;
  /** Its output is the beginning of it. */
  readonly result: ToolResult | undefined;
  readonly finishedAt: bigint;
  readonly outputLeftOut: number;
  readonly attestation: ToolAttestation | undefined;
  /** Its run was, before it was over: nothing happens to it until the run is resumed. */
  readonly isInterrupted: boolean;
}

export interface Proposed {
  readonly runId: string;
  readonly sequence: bigint;
  readonly written: string | undefined;
}

export function openCall(
  proposal: ToolProposal,
  { runId, sequence, written }: Proposed,
): CallStory {
  const { callId, arguments: given, facts } = proposal;
  const hasAllArguments = (facts?.argumentBytes ?? 0) <= MAX_KEPT_ARGUMENTS;
  const isUnread = Object.keys(given ?? {}).length === 0;
  return {
    callId,
    runId,
    proposal: hasAllArguments ? proposal : { ...proposal, arguments: {} },
    proposedAt: sequence,
    hasAllArguments,
    written: isUnread ? written?.slice(0, MAX_KEPT_ARGUMENTS) : undefined,
    decision: undefined,
    asked: undefined,
    voices: [],
    executor: undefined,
    live: NO_OUTPUT,
    changes: [],
    connections: [],
    notesLeftOut: 0,
    result: undefined,
    finishedAt: 0n,
    outputLeftOut: 0,
    attestation: undefined,
    isInterrupted: false,
  };
}

export function withQuestionOf(call: CallStory, { asked, voices }: CallStory): CallStory {
  return { ...call, asked, voices };
}

/** That an answer was used is told without whoever gave it, so voices are kept beside. */
export function askedAbout(call: CallStory, asked: ApprovalNote): CallStory {
  const { voice } = asked;
  const isNew = voice !== undefined && !call.voices.some((one) => isSameVoice(one, voice));
  // Only when it is asked a question says what asks; later notes leave that out.
  const gates = asked.gates.length > 0 ? asked.gates : (call.asked?.gates ?? []);
  const deadline = asked.deadline || (call.asked?.deadline ?? '');
  return {
    ...call,
    asked: { ...asked, gates, deadline },
    voices: isNew ? [...call.voices, voice] : call.voices,
  };
}

export function withChange(call: CallStory, change: FileChange): CallStory {
  return call.changes.length < MAX_KEPT_NOTES
    ? { ...call, changes: [...call.changes, change] }
    : { ...call, notesLeftOut: call.notesLeftOut + 1 };
}

export function withConnection(call: CallStory, connection: EgressConnection): CallStory {
  return call.connections.length < MAX_KEPT_NOTES
    ? { ...call, connections: [...call.connections, connection] }
    : { ...call, notesLeftOut: call.notesLeftOut + 1 };
}

/** What was printed on the way is told by the result, in the form in which it is recorded. */
export function finished(call: CallStory, result: ToolResult, sequence: bigint): CallStory {
  const output = result.output.slice(0, MAX_KEPT_OUTPUT);
  return {
    ...call,
    live: NO_OUTPUT,
    result: { ...result, output },
    finishedAt: sequence,
    outputLeftOut: result.output.length - output.length,
  };
}

function isSameVoice(one: ApprovalVoice, other: ApprovalVoice): boolean {
  return one.principal === other.principal && one.at === other.at;
}
