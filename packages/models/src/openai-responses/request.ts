import type { JsonObject } from '@palyra/kernel';
import { type TidyTurn, argumentsOf, imageUrl, tidy } from '../conversation.ts';
import { piecesOf } from '../keepsake.ts';
import type { ModelRequest, ModelToolCall, ModelTurn, ToolSpec, UserTurn } from '../model-port.ts';
import { wireName } from '../names.ts';
import type { Addressee, Reasoning, WirePost } from '../wire.ts';

export function responsesPost(request: ModelRequest, { model, reasoning }: Addressee): WirePost {
  return {
    path: 'responses',
    headers: {},
    body: {
      model,
      ...(request.system === '' ? {} : { instructions: request.system }),
      input: tidy(request.conversation).flatMap(itemsOf),
      ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toolOf) }),
      max_output_tokens: request.maxOutputTokens,
      ...reasoningOf(reasoning),
      // The journal is where a conversation is kept, not the provider.
      store: false,
      stream: true,
    },
  };
}

/** Sealed thoughts come with the answer, since nothing is stored there that could be named later. */
function reasoningOf({ effort }: Reasoning): JsonObject {
  return effort === 'default'
    ? {}
    : { reasoning: { effort, summary: 'auto' }, include: ['reasoning.encrypted_content'] };
}

function itemsOf(turn: TidyTurn): readonly JsonObject[] {
  switch (turn.role) {
    case 'user':
      return [{ role: 'user', content: contentOf(turn) }];
    case 'model':
      return modelItems(turn);
    case 'tools':
      return turn.results.map(({ call, text }) => ({
        type: 'function_call_output',
        call_id: call.callId,
        output: text,
      }));
  }
}

/** A thought belongs to what follows it, so the order in which things were said stays. */
function modelItems(turn: ModelTurn): readonly JsonObject[] {
  const pieces = piecesOf(turn);
  if (pieces === undefined) return [...messageOf(turn.text), ...turn.toolCalls.map(callOf)];
  return pieces.flatMap((piece) => {
    switch (piece.kind) {
      case 'own':
        return [piece.item];
      case 'text':
        return messageOf(piece.text, piece.extra);
      case 'call':
        return [callOf(piece.call)];
    }
  });
}

function messageOf(text: string, extra: JsonObject = {}): readonly JsonObject[] {
  return text === '' ? [] : [{ role: 'assistant', content: text, ...extra }];
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
