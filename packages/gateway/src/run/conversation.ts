import { create, fromJson } from '@bufbuild/protobuf';
import { JOURNAL_KINDS, type SealedEntry } from '@palyra/kernel';
import {
  type ModelMessage,
  type RunStarted,
  RunStartedSchema,
  type ToolDecision,
  ToolDecisionSchema,
  type ToolResult,
} from '@palyra/protocol';
import type { ModelToolCall, Turn } from '../ports.ts';
import { fenced } from './fence.ts';

/** What the journal knows of a run, enough to go on with it. */
export interface Recollection {
  readonly turns: readonly Turn[];
  readonly modelTurns: number;
  readonly toolCalls: number;
  /** Calls of the last message that have no result yet, in order. */
  readonly open: readonly OpenCall[];
}

export interface OpenCall {
  readonly call: ModelToolCall;
  /** Set once `tool.started` is on record: the call may have had its effect. */
  readonly started: StartedCall | undefined;
}

/** What the journal knows of a call that was cut off while it ran. */
export interface StartedCall {
  readonly decision: ToolDecision;
  readonly startedAt: Date;
}

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;

export function recollect(entries: readonly SealedEntry[]): Recollection {
  const turns: Turn[] = [];
  const decisions = new Map<string, ToolDecision>();
  const started = new Map<string, StartedCall>();
  const finished = new Set<string>();
  let last: readonly ModelToolCall[] = [];
  let modelTurns = 0;

  for (const entry of entries) {
    const { kind, payload, time } = entry;
    if (kind === 'run.started') {
      turns.push({ role: 'user', text: startOf(entry).prompt });
    } else if (kind === 'model.message') {
      const message = fromJson(JOURNAL_KINDS[kind], payload, READ);
      last = toolCallsOf(message);
      turns.push({ role: 'model', text: message.text, toolCalls: last });
      modelTurns += 1;
    } else if (kind === 'tool.decided') {
      const decision = fromJson(JOURNAL_KINDS[kind], payload, READ);
      decisions.set(decision.callId, decision);
    } else if (kind === 'tool.started') {
      const { callId } = fromJson(JOURNAL_KINDS[kind], payload, READ);
      const decision = decisions.get(callId) ?? create(ToolDecisionSchema, { callId });
      started.set(callId, { decision, startedAt: new Date(time) });
    } else if (kind === 'tool.finished') {
      const result = fromJson(JOURNAL_KINDS[kind], payload, READ);
      finished.add(result.callId);
      turns.push(toolTurn(result));
    }
  }
  const open = last
    .filter(({ callId }) => !finished.has(callId))
    .map((call) => ({ call, started: started.get(call.callId) }));
  return { turns, modelTurns, toolCalls: finished.size, open };
}

/** Contract: the entry with which a run began. */
export function startOf({ payload }: SealedEntry): RunStarted {
  return fromJson(RunStartedSchema, payload, READ);
}

export function toolCallsOf(message: ModelMessage): readonly ModelToolCall[] {
  return message.toolCalls.map(({ callId, tool, argumentsJson }) => ({
    callId,
    tool,
    argumentsJson,
  }));
}

/** What the model is told of a result. A refusal tells it why, so that it can choose another way. */
export function toolTurn(result: ToolResult): Turn {
  const { callId, output, error } = result;
  const text = error === undefined ? fenced(output) : `refused or failed: ${error.message}`;
  const both = error !== undefined && output !== '' ? `${text}\n${fenced(output)}` : text;
  return { role: 'tool', callId, text: both };
}
