import { expect, it } from 'vitest';
import { SAMPLE_REQUEST } from '../testing/sample-request.fixture.ts';
import { responsesPost } from './request.ts';

it('a request for a response holds the whole conversation and is not stored', () => {
  const baseUrl = new URL('https://api.openai.com/v1');
  expect(responsesPost(SAMPLE_REQUEST, { model: 'm', baseUrl })).toEqual({
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
    },
  });
});
