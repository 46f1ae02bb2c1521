import { expect, it } from 'vitest';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { kept } from '../keepsake.ts';
import type { ModelRequest } from '../model-port.ts';
import { addressee } from '../testing/addressee.fixture.ts';
import { HELLO, SAMPLE_REQUEST } from '../testing/sample-request.fixture.ts';
import { messagesPost } from './request.ts';

const ADDRESSEE = addressee('https://api.anthropic.com');
const cache_control = { type: 'ephemeral' } as const;

it('a request for a message holds the whole conversation and marks what to cache', () => {
  expect(messagesPost(SAMPLE_REQUEST, ADDRESSEE)).toEqual({
    path: 'v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    body: {
      model: 'm',
      max_tokens: 1000,
      system: [{ type: 'text', text: 'be brief', cache_control }],
      tools: [
        {
          name: 'fs_read',
          description: 'reads a file',
          input_schema: {
            type: 'object',
            properties: { path: { type: 'string' } },
            required: ['path'],
          },
        },
        {
          name: 'fs_list',
          description: 'lists a folder',
          input_schema: { type: 'object' },
          cache_control,
        },
      ],
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: 'AQID' },
            },
            { type: 'text', text: 'what is this?' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'let me look' },
            { type: 'tool_use', id: 'c1', name: 'fs_read', input: { path: 'a' } },
            { type: 'tool_use', id: 'c2', name: 'fs_list', input: { not_a_json_object: 'oops' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'first' },
            { type: 'tool_result', tool_use_id: 'c2', content: 'second', cache_control },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'a picture' }] },
        { role: 'user', content: [{ type: 'text', text: 'thanks', cache_control }] },
      ],
      stream: true,
    } satisfies MessageCreateParamsStreaming,
  });
});

it('a message of white space is left out', () => {
  const conversation = [
    { role: 'user', text: 'hi' },
    { role: 'model', text: ' \n', toolCalls: [] },
  ] as const;
  const { body } = messagesPost({ ...SAMPLE_REQUEST, conversation }, ADDRESSEE);
  expect(body['messages']).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'hi', cache_control }] },
  ]);
});

const THOUGHT = { type: 'thinking', thinking: 'hm', signature: 'c2ln' } as const;
const CALL = { callId: 'c1', tool: 'fs.read', argumentsJson: '{}' } as const;
const ITEMS = [
  kept.own({ ...THOUGHT }),
  kept.text('let me look'),
  kept.own({ type: 'redacted_thinking', data: 'c2VhbGVk' }),
  kept.call(),
];

/** Between a call and what the model makes of its result. */
function midway(text: string): ModelRequest {
  const keepsake = { from: 'm', items: ITEMS };
  return {
    ...HELLO,
    maxOutputTokens: 4000,
    conversation: [
      { role: 'user', text: 'hello' },
      { role: 'model', text, toolCalls: [CALL], keepsake },
      { role: 'tool', callId: 'c1', text: 'first' },
    ],
  };
}

const TOLD = { effort: 'high', tokens: 2000 } as const;
const DECIDES = { effort: 'low', tokens: undefined } as const;

it('signed thoughts go back where they stood', () => {
  const to = addressee('https://api.anthropic.com', { reasoning: TOLD });
  expect(messagesPost(midway('let me look'), to).body).toEqual({
    model: 'm',
    max_tokens: 4000,
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'hello', cache_control }] },
      {
        role: 'assistant',
        content: [
          THOUGHT,
          { type: 'text', text: 'let me look' },
          { type: 'redacted_thinking', data: 'c2VhbGVk' },
          { type: 'tool_use', id: 'c1', name: 'fs_read', input: {} },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'first', cache_control }],
      },
    ],
    thinking: { type: 'enabled', budget_tokens: 2000 },
    stream: true,
  } satisfies MessageCreateParamsStreaming);
});

it('a model that decides how long it thinks is told how much effort to make', () => {
  const to = addressee('https://api.anthropic.com', { reasoning: DECIDES });
  expect(messagesPost(midway('let me look'), to).body).toMatchObject({
    thinking: { type: 'adaptive', display: 'summarized' },
    output_config: { effort: 'low' },
  } satisfies Partial<MessageCreateParamsStreaming>);
});

it('thoughts that do not fit their turn stay away, and no new ones are asked for', () => {
  const to = addressee('https://api.anthropic.com', { reasoning: TOLD });
  const { body } = messagesPost(midway('shortened'), to);
  expect(JSON.stringify(body)).not.toContain('thinking');
});

it('no thinking is asked for that leaves no room for an answer', () => {
  const to = addressee('https://api.anthropic.com', { reasoning: TOLD });
  expect(messagesPost({ ...HELLO, maxOutputTokens: 2000 }, to).body).not.toHaveProperty('thinking');
});
