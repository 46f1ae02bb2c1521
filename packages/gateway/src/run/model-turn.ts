import { create } from '@bufbuild/protobuf';
import type { Ids } from '@palyra/kernel';
import {
  type ModelMessage,
  ModelMessageSchema,
  ModelUsageSchema,
  ToolCallRequestSchema,
} from '@palyra/protocol';
import type { ModelEvent, Turn } from '../ports.ts';
import { record } from '../tool-call/6-journal.ts';
import { publish } from '../tool-call/7-stream.ts';
import type { ToolCallContext } from '../tool-call/tool-call.ts';
import { limitReached } from './limit-reached.ts';
import { ACTORS, draftOf } from './run-note.ts';
import type { RunStream } from './run-stream.ts';
import { SYSTEM_PROMPT } from './system-prompt.ts';

/** One turn of the model, journaled whole; `undefined` when it has nothing to say. */
export async function takeTurn(
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
  const tools = parts.catalogue.offered();
  const request = { system: SYSTEM_PROMPT, conversation: turns, tools, maxOutputTokens: NO_LIMIT };
  let bytes = 0;
  for await (const event of parts.model.reply(request, signal)) {
    signal.throwIfAborted();
    bytes += sizeOf(event);
    if (bytes > parts.settings.max_turn_bytes) {
      throw limitReached('runs.max_turn_bytes', parts.settings.max_turn_bytes);
    }
    hear(event, message, { ids: parts.ids, stream });
  }
  signal.throwIfAborted();
  return message;
}

/** The settings of the model say how much it may answer. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

function hear(
  event: ModelEvent,
  message: ModelMessage,
  { ids, stream }: { readonly ids: Ids; readonly stream: RunStream },
): void {
  switch (event.kind) {
    case 'text': {
      const text = event.text.toWellFormed();
      message.text += text;
      stream.speak(text);
      return;
    }
    case 'reasoning':
      // Counted and not kept: nothing may rest on what was only thought.
      return;
    case 'usage':
      message.usage = usageOf(event);
      return;
    case 'tool-call': {
      const callId = ids.next<'call'>();
      const tool = event.tool.toWellFormed();
      const argumentsJson = event.argumentsJson.toWellFormed();
      message.toolCalls.push(create(ToolCallRequestSchema, { callId, tool, argumentsJson }));
    }
  }
}

function usageOf(usage: Extract<ModelEvent, { kind: 'usage' }>) {
  const { inputTokens, outputTokens, cachedTokens, costMicroUsd } = usage;
  return create(ModelUsageSchema, {
    inputTokens: whole(inputTokens),
    outputTokens: whole(outputTokens),
    cachedTokens: whole(cachedTokens),
    ...(costMicroUsd === undefined ? {} : { costMicroUsd: whole(costMicroUsd) }),
  });
}

/** Whatever a provider says its count is: a number that is one. */
function whole(count: number): bigint {
  return BigInt(Number.isSafeInteger(count) && count > 0 ? count : 0);
}

function sizeOf(event: ModelEvent): number {
  switch (event.kind) {
    case 'text':
    case 'reasoning':
      return Buffer.byteLength(event.text);
    case 'usage':
      return 0;
    case 'tool-call':
      return Buffer.byteLength(event.argumentsJson) + Buffer.byteLength(event.tool);
  }
}
