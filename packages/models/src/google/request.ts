import type { JsonObject } from '@palyra/kernel';
import { type TidyTurn, argumentsOf, imageBase64, tidy } from '../conversation.ts';
import type { ModelRequest, ModelTurn, ToolSpec, UserTurn } from '../model-port.ts';
import { wireName } from '../names.ts';
import type { Addressee, WirePost } from '../wire.ts';

/**
 * Newer models want back what they signed beside the first call of a turn. We do not keep it, since
 * a conversation belongs to no provider; this is what the API takes for calls from elsewhere.
 */
const UNSIGNED = 'skip_thought_signature_validator';

export function generatePost(request: ModelRequest, { model }: Addressee): WirePost {
  const name = encodeURIComponent(model.replace(/^models\//, ''));
  return {
    path: `models/${name}:streamGenerateContent?alt=sse`,
    headers: {},
    body: {
      ...(request.system === ''
        ? {}
        : { systemInstruction: { parts: [{ text: request.system }] } }),
      contents: tidy(request.conversation).map(contentOf),
      ...(request.tools.length === 0
        ? {}
        : { tools: [{ functionDeclarations: request.tools.map(declarationOf) }] }),
      generationConfig: { maxOutputTokens: request.maxOutputTokens },
    },
  };
}

function contentOf(turn: TidyTurn): JsonObject {
  switch (turn.role) {
    case 'user':
      return { role: 'user', parts: userParts(turn) };
    case 'model':
      return { role: 'model', parts: modelParts(turn) };
    case 'tools':
      return {
        role: 'user',
        parts: turn.results.map(({ call, text }) => ({
          functionResponse: {
            id: call.callId,
            name: wireName(call.tool),
            response: { output: text },
          },
        })),
      };
  }
}

function userParts({ text, images = [] }: UserTurn): JsonObject[] {
  return [
    ...images.map((image) => ({
      inlineData: { mimeType: image.mediaType, data: imageBase64(image) },
    })),
    ...(text === '' ? [] : [{ text }]),
  ];
}

function modelParts({ text, toolCalls }: ModelTurn): JsonObject[] {
  return [
    ...(text === '' ? [] : [{ text }]),
    ...toolCalls.map((call, place) => ({
      functionCall: { id: call.callId, name: wireName(call.tool), args: argumentsOf(call) },
      ...(place === 0 ? { thoughtSignature: UNSIGNED } : {}),
    })),
  ];
}

function declarationOf({ name, says, schema }: ToolSpec): JsonObject {
  return { name: wireName(name), description: says, parametersJsonSchema: schema };
}
