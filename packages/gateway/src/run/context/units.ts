import { create, fromJson } from '@bufbuild/protobuf';
import { JOURNAL_KINDS, type SealedEntry } from '@palyra/kernel';
import {
  type Executor,
  type ImageNote,
  type ModelMessage,
  type RunStarted,
  RunStartedSchema,
  RunStatus,
  type ToolDecision,
  ToolDecisionSchema,
  type ToolResult,
} from '@palyra/protocol';
import type { ModelToolCall, ReachedHosts } from '../../ports.ts';
import { Reach } from '../../tool-call/reach.ts';

/**
 * What is told to a model together or not at all: a prompt, or an answer with every call that it
 * asks for and what came of each. INVARIANT: no call is ever without its result, nor the other way
 * round, because nothing smaller than this is left out.
 */
export type Unit = PromptUnit | AnswerUnit | EndingUnit;

interface Placed {
  /** Of the last entry that it was made from. */
  readonly sequence: number;
}

export interface PromptUnit extends Placed {
  readonly kind: 'prompt';
  readonly text: string;
  readonly images: readonly ImageNote[];
}

export interface AnswerUnit extends Placed {
  readonly kind: 'answer';
  readonly text: string;
  readonly calls: readonly RecordedCall[];
  /** The model was cut off while it spoke. */
  readonly isPartial: boolean;
}

/** How a run ended that was not done. */
export interface EndingUnit extends Placed {
  readonly kind: 'ending';
  readonly text: string;
}

export interface RecordedCall {
  readonly call: ModelToolCall;
  /** Set once `tool.started` is on record: the call may have had its effect. */
  readonly started: StartedCall | undefined;
  readonly result: ToolResult | undefined;
}

/** What the journal knows of a call that was cut off while it ran. */
export interface StartedCall {
  readonly decision: ToolDecision;
  readonly startedAt: Date;
  /** Where it was started. */
  readonly executor: Executor;
  /** By connections that had ended: of one that was open nothing is on record. */
  readonly reached: ReachedHosts;
}

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;

/** Contract: the entry with which a run began, or began to wait. */
export function startOf({ payload }: Pick<SealedEntry, 'payload'>): RunStarted {
  return fromJson(RunStartedSchema, payload, READ);
}

export function toolCallsOf(message: ModelMessage): readonly ModelToolCall[] {
  return message.toolCalls.map(({ callId, tool, argumentsJson }) => ({
    callId,
    tool,
    argumentsJson,
  }));
}

/** The entries of one run, as far as a model is told of them; results of calls that are not among them are nothing. */
export function unitsOf(entries: readonly SealedEntry[]): readonly (PromptUnit | AnswerUnit)[] {
  const calls = callsIn(entries);
  return entries.flatMap((entry): readonly (PromptUnit | AnswerUnit)[] => {
    const { kind, sequence, payload } = entry;
    if (kind === 'run.started') {
      const { prompt: text, images } = startOf(entry);
      return [{ kind: 'prompt', sequence, text, images }];
    }
    if (kind !== 'model.message') return [];
    const message = fromJson(JOURNAL_KINDS[kind], payload, READ);
    const recorded = toolCallsOf(message).map((call) => calls.about(call));
    const ends = recorded.map((one) => one.endSequence);
    return [
      {
        kind: 'answer',
        sequence: Math.max(sequence, ...ends),
        text: message.text,
        calls: recorded,
        isPartial: message.isPartial,
      },
    ];
  });
}

/** Contract: `undefined` for a run that is done or goes on. */
export function endingOf(entries: readonly SealedEntry[]): EndingUnit | undefined {
  const last = entries.findLast(({ kind }) => TURNING_POINTS.has(kind));
  const how = last === undefined ? undefined : howItEnded(last);
  if (last === undefined || how === undefined) return undefined;
  return { kind: 'ending', sequence: last.sequence, text: `(This run ${how} before it was done.)` };
}

const TURNING_POINTS = new Set<string>([
  'run.started',
  'run.resumed',
  'run.interrupted',
  'run.ended',
]);

function howItEnded({ kind, payload }: SealedEntry): string | undefined {
  if (kind === 'run.interrupted') return 'was interrupted';
  if (kind !== 'run.ended') return undefined;
  const { status } = fromJson(JOURNAL_KINDS[kind], payload, READ);
  if (status === RunStatus.COMPLETED) return undefined;
  return status === RunStatus.CANCELLED ? 'was cancelled' : 'was stopped';
}

/** What the entries of a run say about its calls. */
function callsIn(entries: readonly SealedEntry[]) {
  const decisions = new Map<string, ToolDecision>();
  const started = new Map<string, Omit<StartedCall, 'reached'>>();
  const reaches = new Map<string, Reach>();
  const finished = new Map<string, { readonly result: ToolResult; readonly sequence: number }>();
  for (const { kind, payload, time, sequence } of entries) {
    if (kind === 'tool.decided') {
      const decision = fromJson(JOURNAL_KINDS[kind], payload, READ);
      decisions.set(decision.callId, decision);
    } else if (kind === 'tool.started') {
      const { callId, executor } = fromJson(JOURNAL_KINDS[kind], payload, READ);
      const decision = decisions.get(callId) ?? create(ToolDecisionSchema, { callId });
      started.set(callId, { decision, startedAt: new Date(time), executor });
    } else if (kind === 'sandbox.connected') {
      const connection = fromJson(JOURNAL_KINDS[kind], payload, READ);
      const reach = reaches.get(connection.callId) ?? new Reach();
      reach.add(connection);
      reaches.set(connection.callId, reach);
    } else if (kind === 'tool.finished') {
      const result = fromJson(JOURNAL_KINDS[kind], payload, READ);
      finished.set(result.callId, { result, sequence });
    }
  }
  const startedCall = (callId: string): StartedCall | undefined => {
    const known = started.get(callId);
    const { reached } = reaches.get(callId) ?? new Reach();
    return known === undefined ? undefined : { ...known, reached };
  };
  return {
    about: (call: ModelToolCall): RecordedCall & { readonly endSequence: number } => ({
      call,
      started: startedCall(call.callId),
      result: finished.get(call.callId)?.result,
      endSequence: finished.get(call.callId)?.sequence ?? 0,
    }),
  };
}
