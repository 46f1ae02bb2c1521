import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { ToolOutcome, type ToolResult, ToolResultSchema } from '@palyra/protocol';
import type { Turn } from '../ports.ts';
import { detailOf } from '../tool-call/5-attestation.ts';
import { record } from '../tool-call/6-journal.ts';
import { publish } from '../tool-call/7-stream.ts';
import { type ToolCallContext, callTool } from '../tool-call/tool-call.ts';
import { type OpenCall, toolTurn } from './conversation.ts';
import { ACTORS, draftOf } from './run-note.ts';

/**
 * Calls that a crash left without a result. One that had not started goes through the pipeline
 * again, from its first stage; one that had is never run twice: its outcome is unknown, and the
 * journal and the model are told so.
 */
export async function settleOpenCalls(
  open: readonly OpenCall[],
  context: ToolCallContext,
  signal: AbortSignal,
): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  for (const { call, started } of open) {
    signal.throwIfAborted();
    const result = started
      ? await recordUnknown(call.callId, context)
      : await callTool(call, context, signal);
    turns.push(toolTurn(result));
  }
  return turns;
}

async function recordUnknown(callId: string, context: ToolCallContext): Promise<ToolResult> {
  const fault = new PalyraError(
    'UNEXPECTED',
    'the daemon stopped while the call ran; whether it took effect is unknown',
    { help: 'look at what the call would have changed before asking for it again' },
  );
  const message = create(ToolResultSchema, {
    callId,
    outcome: ToolOutcome.FAILED,
    error: detailOf(fault),
  });
  const draft = draftOf(context.run, { kind: 'tool.finished', actor: ACTORS.gateway, message });
  publish(await record([draft], context.parts.journal), context.stream);
  return message;
}
