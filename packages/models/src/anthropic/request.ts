import type { JsonObject } from '@palyra/kernel';
import { type TidyTurn, argumentsOf, imageBase64, tidy } from '../conversation.ts';
import type { ModelRequest, ToolSpec, UserTurn } from '../model-port.ts';
import { wireName } from '../names.ts';
import type { Addressee, WirePost } from '../wire.ts';

const API_VERSION = '2023-06-01';
const CACHED = { cache_control: { type: 'ephemeral' } } as const;

/**
 * Three marks for the cache: after the tools, after the system prompt and at the end of the
 * conversation, so that each turn reads what the one before it has written.
 */
export function messagesPost(request: ModelRequest, { model }: Addressee): WirePost {
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
      messages: withMark(tidy(request.conversation).map(messageOf)),
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
      return {
        role: 'assistant',
        content: [
          ...textBlock(turn.text),
          ...turn.toolCalls.map((call) => ({
            type: 'tool_use',
            id: call.callId,
            name: wireName(call.tool),
            input: argumentsOf(call),
          })),
        ],
      };
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
function withMark(messages: readonly Message[]): JsonObject[] {
  const full = messages.filter(({ content }) => content.length > 0);
  return full.map(({ role, content }, place) => ({
    role,
    content: content.map((block, index) =>
      place === full.length - 1 && index === content.length - 1 ? { ...block, ...CACHED } : block,
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
