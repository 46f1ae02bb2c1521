import { expect, it } from 'vitest';
import { SAMPLE_REQUEST } from '../testing/sample-request.fixture.ts';
import { generatePost } from './request.ts';

const baseUrl = new URL('https://generativelanguage.googleapis.com/v1beta');

it('a request to generate holds the whole conversation', () => {
  expect(generatePost(SAMPLE_REQUEST, { model: 'm', baseUrl })).toEqual({
    path: 'models/m:streamGenerateContent?alt=sse',
    headers: {},
    body: {
      systemInstruction: { parts: [{ text: 'be brief' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { inlineData: { mimeType: 'image/png', data: 'AQID' } },
            { text: 'what is this?' },
          ],
        },
        {
          role: 'model',
          parts: [
            { text: 'let me look' },
            {
              functionCall: { id: 'c1', name: 'fs_read', args: { path: 'a' } },
              thoughtSignature: 'skip_thought_signature_validator',
            },
            {
              functionCall: { id: 'c2', name: 'fs_list', args: { not_a_json_object: 'oops' } },
            },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'c1', name: 'fs_read', response: { output: 'first' } } },
            { functionResponse: { id: 'c2', name: 'fs_list', response: { output: 'second' } } },
          ],
        },
        { role: 'model', parts: [{ text: 'a picture' }] },
        { role: 'user', parts: [{ text: 'thanks' }] },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'fs_read',
              description: 'reads a file',
              parametersJsonSchema: {
                type: 'object',
                properties: { path: { type: 'string' } },
                required: ['path'],
              },
            },
            {
              name: 'fs_list',
              description: 'lists a folder',
              parametersJsonSchema: { type: 'object' },
            },
          ],
        },
      ],
      generationConfig: { maxOutputTokens: 1000 },
    },
  });
});

it.each([
  ['models/gemini', 'models/gemini:streamGenerateContent?alt=sse'],
  ['../../admin?x=', 'models/..%2F..%2Fadmin%3Fx%3D:streamGenerateContent?alt=sse'],
])('the model %j cannot leave its place in the path', (model, path) => {
  expect(generatePost(SAMPLE_REQUEST, { model, baseUrl }).path).toBe(path);
});
