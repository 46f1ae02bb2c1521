import type { JsonObject } from '@palyra/kernel';
import { type TidyTurn, argumentsOf, imageBase64, tidy } from '../conversation.ts';
import { piecesOf } from '../keepsake.ts';
import type { ModelRequest, ModelToolCall, ModelTurn, ToolSpec, UserTurn } from '../model-port.ts';
import { wireName } from '../names.ts';
import type { Addressee, Reasoning, WirePost } from '../wire.ts';

export const API_VERSION = '2023-06-01';
const CACHED = { cache_control: { type: 'ephemeral' } } as const;

/**
 * Four marks for the cache, which is as many as there may be: after the tools, after the system
 * prompt, at the end of the conversation and where it ended a turn ago, so that each turn reads what
 * the one before it has written, however much it brought.
 */
export function messagesPost(request: ModelRequest, { model, reasoning }: Addressee): WirePost {
  const turns = tidy(request.conversation);
  return {
    path: 'v1/messages',
    headers: { 'anthropic-version': API_VERSION },
    body: {
      model,
      max_tokens: request.maxOutputTokens,
      ...(request.system === ''
        ? {}
        : { system: [{ type: 'text', text: request.system, ...CACHED }] }),
      ...(request.tools.length === 0 ? {} : { tools: toolsOf(request.tools) }),
      messages: withMarks(turns.map(messageOf)),
      ...thinkingOf(reasoning, request.maxOutputTokens, turns),
      stream: true,
    },
  };
}

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
}

function messageOf(turn: TidyTurn): Message {
  switch (turn.role) {
    case 'user':
      return { role: 'user', content: blocksOf(turn) };
    case 'model':
      return { role: 'assistant', content: modelBlocks(turn) };
    case 'tools':
      return {
        role: 'user',
        content: turn.results.map(({ call, text }) => ({
          type: 'tool_result',
          tool_use_id: call.callId,
          content: text,
        })),
      };
  }
}

/** Thoughts go back as they came and where they stood, or the next turn is refused. */
function modelBlocks(turn: ModelTurn): readonly JsonObject[] {
  const pieces = piecesOf(turn);
  if (pieces === undefined) return [...textBlock(turn.text), ...turn.toolCalls.map(callBlock)];
  return pieces.flatMap((piece) => {
    switch (piece.kind) {
      case 'own':
        return [piece.item];
      case 'text':
        return textBlock(piece.text);
      case 'call':
        return [callBlock(piece.call)];
    }
  });
}

function callBlock(call: ModelToolCall): JsonObject {
  return {
    type: 'tool_use',
    id: call.callId,
    name: wireName(call.tool),
    input: argumentsOf(call),
  };
}

/**
 * A word for models that decide themselves how long they think, a number for those that are told.
 * With a number, turns since the last prompt have to begin with a thought; where those are lost, as
 * after a crash, this turn does without.
 */
function thinkingOf(
  { effort, tokens }: Reasoning,
  maxOutputTokens: number,
  turns: readonly TidyTurn[],
): JsonObject {
  if (effort === 'default') return {};
  if (tokens === undefined) {
    return {
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort },
    };
  }
  const sincePrompt = turns.slice(turns.findLastIndex(({ role }) => role === 'user') + 1);
  const hasLost = sincePrompt.some((turn) => turn.role === 'model' && piecesOf(turn) === undefined);
  // The thoughts count as output, and something has to be left for the answer.
  const fits = tokens < maxOutputTokens;
  return fits && !hasLost ? { thinking: { type: 'enabled', budget_tokens: tokens } } : {};
}

function blocksOf({ text, images = [] }: UserTurn): readonly JsonObject[] {
  return [
    ...images.map((image) => ({
      type: 'image',
      source: { type: 'base64', media_type: image.mediaType, data: imageBase64(image) },
    })),
    ...textBlock(text),
  ];
}

/** A block of nothing but white space is refused. */
function textBlock(text: string): readonly JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** Without those in which nothing was left, which are refused too. */
function withMarks(messages: readonly Message[]): JsonObject[] {
  const full = messages.filter(({ content }) => content.length > 0);
  const marked = full.filter(({ role }) => role === 'user').slice(-2);
  return full.map((message) => ({
    role: message.role,
    content: message.content.map((block, index) =>
      marked.includes(message) && index === message.content.length - 1
        ? { ...block, ...CACHED }
        : block,
    ),
  }));
}

function toolsOf(tools: readonly ToolSpec[]): JsonObject[] {
  return tools.map(({ name, says, schema }, place) => ({
    name: wireName(name),
    description: says,
    input_schema: schema,
    ...(place === tools.length - 1 ? CACHED : {}),
  }));
}
