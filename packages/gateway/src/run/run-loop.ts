import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { type ModelMessage, ModelMessageSchema, ToolCallRequestSchema } from '@palyra/protocol';
import type { ModelEvent, Turn } from '../ports.ts';
import { record } from '../tool-call/6-journal.ts';
import { publish } from '../tool-call/7-stream.ts';
import { type ToolCallContext, callTool } from '../tool-call/tool-call.ts';
import { type Recollection, toolCallsOf, toolTurn } from './conversation.ts';
import { settleOpenCalls } from './open-calls.ts';
import { ACTORS, draftOf } from './run-note.ts';

/**
 * The model speaks, its tool calls are made, it hears the results, until it asks for nothing more.
 * Contract: returns when the run is complete; throws the signal's reason when it was stopped, and
 * a PalyraError when a limit was reached, the model failed or the journal cannot be written.
 */
export async function runLoop(
  context: ToolCallContext,
  past: Recollection,
  signal: AbortSignal,
): Promise<void> {
  const { settings } = context.parts;
  const turns: Turn[] = [...past.turns];
  let toolCalls = past.toolCalls;
  turns.push(...(await settleOpenCalls(past.open, context, signal)));

  for (let turn = past.modelTurns; turn < settings.max_turns; turn += 1) {
    const message = await takeTurn(turns, context, signal);
    if (message === undefined) return;
    const calls = toolCallsOf(message);
    turns.push({ role: 'model', text: message.text, toolCalls: calls });
    if (calls.length === 0) return;

    for (const call of calls) {
      toolCalls += 1;
      if (toolCalls > settings.max_tool_calls)
        throw limitReached('runs.max_tool_calls', settings.max_tool_calls);
      const result = await callTool(call, context, signal);
      turns.push(toolTurn(result));
      signal.throwIfAborted();
    }
  }
  throw limitReached('runs.max_turns', settings.max_turns);
}

/** One turn of the model, journaled whole; `undefined` when it has nothing to say. */
async function takeTurn(
  turns: readonly Turn[],
  context: ToolCallContext,
  signal: AbortSignal,
): Promise<ModelMessage | undefined> {
  const message = await listen(turns, context, signal);
  if (message.text === '' && message.toolCalls.length === 0) return undefined;
  const draft = draftOf(context.run, { kind: 'model.message', actor: ACTORS.agent, message });
  publish(await record([draft], context.parts.journal), context.stream);
  return message;
}

async function listen(
  turns: readonly Turn[],
  { parts, stream }: ToolCallContext,
  signal: AbortSignal,
): Promise<ModelMessage> {
  const message = create(ModelMessageSchema);
  let bytes = 0;
  for await (const event of parts.model.reply(turns, signal)) {
    signal.throwIfAborted();
    bytes += sizeOf(event);
    if (bytes > parts.settings.max_turn_bytes) {
      throw limitReached('runs.max_turn_bytes', parts.settings.max_turn_bytes);
    }
    if (event.kind === 'text') {
      const text = event.text.toWellFormed();
      message.text += text;
      stream.speak(text);
    } else {
      const callId = parts.ids.next<'call'>();
      const tool = event.tool.toWellFormed();
      const argumentsJson = event.argumentsJson.toWellFormed();
      message.toolCalls.push(create(ToolCallRequestSchema, { callId, tool, argumentsJson }));
    }
  }
  signal.throwIfAborted();
  return message;
}

function sizeOf(event: ModelEvent): number {
  if (event.kind === 'text') return Buffer.byteLength(event.text);
  return Buffer.byteLength(event.argumentsJson) + Buffer.byteLength(event.tool);
}

function limitReached(key: string, limit: number): PalyraError {
  return new PalyraError('RUN_LIMIT_REACHED', `the run reached \`${key}\` (${limit})`);
}
