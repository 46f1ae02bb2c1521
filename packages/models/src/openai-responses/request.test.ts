import { expect, it } from 'vitest';
import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { kept } from '../keepsake.ts';
import type { ModelRequest } from '../model-port.ts';
import { addressee } from '../testing/addressee.fixture.ts';
import { HELLO, SAMPLE_REQUEST } from '../testing/sample-request.fixture.ts';
import { responsesPost } from './request.ts';

it('a request for a response holds the whole conversation and is not stored', () => {
  expect(responsesPost(SAMPLE_REQUEST, addressee('https://api.openai.com/v1'))).toEqual({
    path: 'responses',
    headers: {},
    body: {
      model: 'm',
      instructions: 'be brief',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'what is this?' },
            { type: 'input_image', image_url: 'data:image/png;base64,AQID', detail: 'auto' },
          ],
        },
        { role: 'assistant', content: 'let me look' },
        { type: 'function_call', call_id: 'c1', name: 'fs_read', arguments: '{"path":"a"}' },
        {
          type: 'function_call',
          call_id: 'c2',
          name: 'fs_list',
          arguments: '{"not_a_json_object":"oops"}',
        },
        { type: 'function_call_output', call_id: 'c1', output: 'first' },
        { type: 'function_call_output', call_id: 'c2', output: 'second' },
        { role: 'assistant', content: 'a picture' },
        { role: 'user', content: [{ type: 'input_text', text: 'thanks' }] },
      ],
      tools: [
        {
          type: 'function',
          name: 'fs_read',
          description: 'reads a file',
          parameters: {
            type: 'object',
            properties: { path: { type: 'string' } },
            required: ['path'],
          },
          strict: false,
        },
        {
          type: 'function',
          name: 'fs_list',
          description: 'lists a folder',
          parameters: { type: 'object' },
          strict: false,
        },
      ],
      max_output_tokens: 1000,
      store: false,
      stream: true,
    } satisfies ResponseCreateParamsStreaming,
  });
});

const THOUGHT = {
  type: 'reasoning' as const,
  id: 'rs_1',
  summary: [],
  encrypted_content: 'c2VhbGVk',
};

/** A turn that thought, spoke, thought again and called. */
const THOUGHTFUL: ModelRequest = {
  ...HELLO,
  conversation: [
    { role: 'user', text: 'hello' },
    {
      role: 'model',
      text: 'let me look',
      toolCalls: [{ callId: 'c1', tool: 'fs.read', argumentsJson: '{}' }],
      keepsake: {
        from: 'm',
        items: [
          kept.own(THOUGHT),
          kept.text('let me look', { phase: 'commentary' }),
          kept.own({ ...THOUGHT, id: 'rs_2' }),
          kept.call(),
        ],
      },
    },
    { role: 'tool', callId: 'c1', text: 'first' },
  ],
};

it('sealed thoughts go back where they stood', () => {
  const reasoning = { effort: 'high', tokens: undefined } as const;
  const to = addressee('https://api.openai.com/v1', { reasoning });
  expect(responsesPost(THOUGHTFUL, to).body).toEqual({
    model: 'm',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
      THOUGHT,
      { role: 'assistant', content: 'let me look', phase: 'commentary' },
      { ...THOUGHT, id: 'rs_2' },
      { type: 'function_call', call_id: 'c1', name: 'fs_read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'first' },
    ],
    max_output_tokens: 100,
    reasoning: { effort: 'high', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    store: false,
    stream: true,
  } satisfies ResponseCreateParamsStreaming);
});
