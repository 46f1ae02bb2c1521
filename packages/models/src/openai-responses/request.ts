import type { JsonObject } from '@palyra/kernel';
import { type TidyTurn, argumentsOf, imageUrl, tidy } from '../conversation.ts';
import type { ModelRequest, ModelToolCall, ToolSpec, UserTurn } from '../model-port.ts';
import { wireName } from '../names.ts';
import type { Addressee, WirePost } from '../wire.ts';

export function responsesPost(request: ModelRequest, { model }: Addressee): WirePost {
  return {
    path: 'responses',
    headers: {},
    body: {
      model,
      ...(request.system === '' ? {} : { instructions: request.system }),
      input: tidy(request.conversation).flatMap(itemsOf),
      ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toolOf) }),
      max_output_tokens: request.maxOutputTokens,
      // The journal is where a conversation is kept, not the provider.
      store: false,
      stream: true,
    },
  };
}

function itemsOf(turn: TidyTurn): readonly JsonObject[] {
  switch (turn.role) {
    case 'user':
      return [{ role: 'user', content: contentOf(turn) }];
    case 'model':
      return [
        ...(turn.text === '' ? [] : [{ role: 'assistant', content: turn.text }]),
        ...turn.toolCalls.map(callOf),
      ];
    case 'tools':
      return turn.results.map(({ call, text }) => ({
        type: 'function_call_output',
        call_id: call.callId,
        output: text,
      }));
  }
}

function contentOf({ text, images = [] }: UserTurn): JsonObject[] {
  return [
    ...(text === '' ? [] : [{ type: 'input_text', text }]),
    ...images.map((image) => ({
      type: 'input_image',
      image_url: imageUrl(image),
      detail: 'auto',
    })),
  ];
}

function callOf(call: ModelToolCall): JsonObject {
  return {
    type: 'function_call',
    call_id: call.callId,
    name: wireName(call.tool),
    arguments: JSON.stringify(argumentsOf(call)),
  };
}

function toolOf({ name, says, schema }: ToolSpec): JsonObject {
  // Strict is the default here and takes only a part of JSON Schema.
  return {
    type: 'function',
    name: wireName(name),
    description: says,
    parameters: schema,
    strict: false,
  };
}
