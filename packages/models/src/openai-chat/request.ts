import type { JsonObject } from '@palyra/kernel';
import { type TidyTurn, argumentsOf, imageUrl, tidy } from '../conversation.ts';
import type { ModelRequest, ModelToolCall, ModelTurn, ToolSpec, UserTurn } from '../model-port.ts';
import { wireName } from '../names.ts';
import type { Addressee, WirePost } from '../wire.ts';

export function chatPost(request: ModelRequest, addressee: Addressee): WirePost {
  const { model, baseUrl, reasoning } = addressee;
  const system: JsonObject[] =
    request.system === '' ? [] : [{ role: 'system', content: request.system }];
  const turns = tidy(request.conversation);
  const prompt = turns.findLastIndex(({ role }) => role === 'user');
  const messages = turns.flatMap((turn, place) =>
    messagesOf(turn, place > prompt ? 'since-prompt' : 'before'),
  );
  return {
    path: 'chat/completions',
    headers: {},
    body: {
      model,
      messages: [...system, ...messages],
      ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toolOf) }),
      ...limitOf(request, baseUrl),
      ...(reasoning.effort === 'default' ? {} : { reasoning_effort: reasoning.effort }),
      stream: true,
      stream_options: { include_usage: true },
    },
  };
}

/** OpenAI has renamed the field and refuses the old one for some models; the others know only that. */
function limitOf({ maxOutputTokens }: ModelRequest, { hostname }: URL): JsonObject {
  const isOpenAi = hostname === 'api.openai.com' || hostname.endsWith('.openai.azure.com');
  return isOpenAi ? { max_completion_tokens: maxOutputTokens } : { max_tokens: maxOutputTokens };
}

function messagesOf(turn: TidyTurn, when: 'before' | 'since-prompt'): readonly JsonObject[] {
  switch (turn.role) {
    case 'user':
      return [{ role: 'user', content: contentOf(turn) }];
    case 'model':
      return [
        {
          role: 'assistant',
          content: turn.text === '' ? null : turn.text,
          ...(turn.toolCalls.length === 0 ? {} : { tool_calls: turn.toolCalls.map(callOf) }),
          ...(when === 'before' ? {} : thoughtsOf(turn)),
        },
      ];
    case 'tools':
      return turn.results.map(({ call, text }) => ({
        role: 'tool',
        tool_call_id: call.callId,
        content: text,
      }));
  }
}

/** Servers that send thoughts want them back while tools are used, and not later. */
function thoughtsOf({ toolCalls, keepsake }: ModelTurn): JsonObject {
  return toolCalls.length === 0 ? {} : (keepsake?.items[0] ?? {});
}

/** Plain text where there is no image: not every server takes a list. */
function contentOf({ text, images = [] }: UserTurn): string | JsonObject[] {
  if (images.length === 0) return text;
  const pictures = images.map((image) => ({
    type: 'image_url',
    image_url: { url: imageUrl(image) },
  }));
  return text === '' ? pictures : [{ type: 'text', text }, ...pictures];
}

function callOf(call: ModelToolCall): JsonObject {
  return {
    id: call.callId,
    type: 'function',
    // Servers that fill a template with them parse the arguments first.
    function: { name: wireName(call.tool), arguments: JSON.stringify(argumentsOf(call)) },
  };
}

function toolOf({ name, says, schema }: ToolSpec): JsonObject {
  return {
    type: 'function',
    function: { name: wireName(name), description: says, parameters: schema },
  };
}
