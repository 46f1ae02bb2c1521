import type { JsonObject } from '@palyra/kernel';
import { type TidyTurn, argumentsOf, imageBase64, tidy } from '../conversation.ts';
import { piecesOf } from '../keepsake.ts';
import type { ModelRequest, ModelToolCall, ModelTurn, ToolSpec, UserTurn } from '../model-port.ts';
import { wireName } from '../names.ts';
import type { Addressee, Reasoning, WirePost } from '../wire.ts';

/**
 * Newer models want back what they signed beside the first call of a turn. Of turns that another
 * model said, or that come from the journal, there is none; this is what the API takes instead.
 */
const UNSIGNED = 'skip_thought_signature_validator';

export function generatePost(request: ModelRequest, { model, reasoning }: Addressee): WirePost {
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
      generationConfig: {
        maxOutputTokens: request.maxOutputTokens,
        ...thinkingOf(reasoning),
      },
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

/** A word for newer models, a number for older ones; either way we ask to hear the thoughts. */
function thinkingOf({ effort, tokens }: Reasoning): JsonObject {
  if (effort === 'default') return {};
  const amount =
    tokens === undefined ? { thinkingLevel: effort.toUpperCase() } : { thinkingBudget: tokens };
  return { thinkingConfig: { includeThoughts: true, ...amount } };
}

function modelParts(turn: ModelTurn): JsonObject[] {
  const pieces = piecesOf(turn);
  if (pieces === undefined) {
    return [
      ...(turn.text === '' ? [] : [{ text: turn.text }]),
      ...turn.toolCalls.map((call, place) => ({
        ...callPart(call),
        ...(place === 0 ? { thoughtSignature: UNSIGNED } : {}),
      })),
    ];
  }
  return pieces.map((piece) => {
    switch (piece.kind) {
      case 'own':
        return piece.item;
      case 'text':
        return { text: piece.text, ...piece.extra };
      case 'call':
        return { ...callPart(piece.call), ...piece.extra };
    }
  });
}

function callPart(call: ModelToolCall): JsonObject {
  return { functionCall: { id: call.callId, name: wireName(call.tool), args: argumentsOf(call) } };
}

function declarationOf({ name, says, schema }: ToolSpec): JsonObject {
  return { name: wireName(name), description: says, parametersJsonSchema: schema };
}
