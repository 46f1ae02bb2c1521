import {
  type ApprovalNote,
  ApprovalStatus,
  type Executor,
  type RunEvent,
  type ToolAttestation,
  type ToolDecision,
  type ToolProposal,
  type ToolResult,
} from '@palyra/protocol';

/** One tool call, as far as its events have told of it. */
export interface CallState {
  readonly callId: string;
  readonly proposal: ToolProposal;
  readonly proposedAt: number;
  /** What the model wrote, to the letter, where no arguments could be read from it. */
  readonly written?: string;
  readonly decision?: ToolDecision;
  /** What was last heard of the question about it. */
  readonly asked?: ApprovalNote;
  readonly executor?: Executor;
  /** The end of what it wrote, as bytes: a character may come in two pieces. */
  readonly output: Uint8Array;
  /** Its output is not kept here a second time. */
  readonly result?: ToolResult;
  readonly attestation?: ToolAttestation;
}

/** Calls that can still be opened; older ones are in the journal. */
export const MAX_CALLS = 50;
const MAX_OUTPUT_BYTES = 8 * 1024;

/** Contract: the same list when the event tells nothing of a call. */
export function hearCall(
  calls: readonly CallState[],
  { event }: RunEvent,
  at: number,
): readonly CallState[] {
  switch (event.case) {
    case 'toolProposed': {
      const { callId } = event.value;
      const call = { callId, proposal: event.value, proposedAt: at, output: new Uint8Array() };
      return [...calls.filter((one) => one.callId !== callId), call].slice(-MAX_CALLS);
    }
    case 'toolDecided':
      return change(calls, event.value.callId, () => ({ decision: event.value }));
    case 'approvalChanged':
      // That an answer was used is told without whoever gave it.
      return change(calls, event.value.callId, ({ asked }) => ({
        asked: { ...event.value, ...voiceOf(event.value, asked) },
      }));
    case 'toolStarted':
      return change(calls, event.value.callId, () => ({ executor: event.value.executor }));
    case 'toolOutput':
      // Told from the start, it takes the place of what was heard before a break.
      return change(calls, event.value.callId, ({ output }) => ({
        output: tail(
          event.value.leftOutBytes === undefined
            ? Buffer.concat([output, event.value.data])
            : event.value.data,
        ),
      }));
    case 'toolFinished': {
      const output = tail(new TextEncoder().encode(event.value.output));
      return change(calls, event.value.callId, () => ({
        output,
        result: { ...event.value, output: '' },
      }));
    }
    case 'toolAttested':
      return change(calls, event.value.callId, () => ({ attestation: event.value }));
    case 'runQueued':
    case 'runStarted':
    case 'runResumed':
    case 'textDelta':
    case 'reasoningDelta':
    case 'modelMessage':
    case 'modelSpoken':
    case 'modelAskedAgain':
    case 'sandboxConnected':
    case 'fileChanged':
    case 'runCompacted':
    case 'runEnded':
    case 'runInterrupted':
    case undefined:
  }
  return calls;
}

/** Its story is told to the end: a call without a signed record is not over. */
export function isOver({ attestation }: CallState): boolean {
  return attestation !== undefined;
}

export function isWaiting({ asked, decision }: CallState): boolean {
  return decision === undefined && asked?.status === ApprovalStatus.PENDING;
}

/** The lines that it wrote last. */
export function outputLines({ output }: CallState, most: number): readonly string[] {
  const text = new TextDecoder()
    .decode(output)
    .replace(/^\uFFFD+/, '')
    .trimEnd();
  return text === '' ? [] : text.split('\n').slice(-most);
}

function voiceOf(note: ApprovalNote, before: ApprovalNote | undefined): Partial<ApprovalNote> {
  const voice = note.voice ?? before?.voice;
  return voice === undefined ? {} : { voice };
}

function change(
  calls: readonly CallState[],
  callId: string,
  by: (call: CallState) => Partial<CallState>,
): readonly CallState[] {
  return calls.map((call) => (call.callId === callId ? { ...call, ...by(call) } : call));
}

function tail(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(Math.max(bytes.length - MAX_OUTPUT_BYTES, 0));
}
