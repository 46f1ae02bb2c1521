import { expect, it } from 'vitest';
import { SAMPLE_REQUEST } from '../testing/sample-request.fixture.ts';
import { messagesPost } from './request.ts';

const ADDRESSEE = { model: 'm', baseUrl: new URL('https://api.anthropic.com') };
const cache_control = { type: 'ephemeral' };

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
            { type: 'tool_result', tool_use_id: 'c2', content: 'second' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'a picture' }] },
        { role: 'user', content: [{ type: 'text', text: 'thanks', cache_control }] },
      ],
      stream: true,
    },
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
