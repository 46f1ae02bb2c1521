import { expect, it } from 'vitest';
import type { Content, GenerationConfig, ThinkingLevel, Tool } from '@google/genai';
import { kept } from '../keepsake.ts';
import { addressee } from '../testing/addressee.fixture.ts';
import { HELLO, SAMPLE_REQUEST } from '../testing/sample-request.fixture.ts';
import { generatePost } from './request.ts';

/** What the client of Google posts; it has a type for each part and none for the whole. */
interface Body {
  readonly systemInstruction?: Content;
  readonly contents: Content[];
  readonly tools?: Tool[];
  readonly generationConfig: Omit<GenerationConfig, 'thinkingConfig'> & {
    readonly thinkingConfig?: {
      readonly includeThoughts: boolean;
      readonly thinkingBudget?: number;
      readonly thinkingLevel?: `${ThinkingLevel}`;
    };
  };
}

const AT = 'https://generativelanguage.googleapis.com/v1beta';

it('a request to generate holds the whole conversation', () => {
  expect(generatePost(SAMPLE_REQUEST, addressee(AT))).toEqual({
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
    } satisfies Body,
  });
});

it.each([
  ['models/gemini', 'models/gemini:streamGenerateContent?alt=sse'],
  ['../../admin?x=', 'models/..%2F..%2Fadmin%3Fx%3D:streamGenerateContent?alt=sse'],
])('the model %j cannot leave its place in the path', (model, path) => {
  expect(generatePost(SAMPLE_REQUEST, addressee(AT, { model })).path).toBe(path);
});

it.each([
  [{ effort: 'low', tokens: undefined } as const, { thinkingLevel: 'LOW' } as const],
  [{ effort: 'low', tokens: 2000 } as const, { thinkingBudget: 2000 } as const],
])('with the reasoning %j it asks for %j', (reasoning, amount) => {
  expect(generatePost(HELLO, addressee(AT, { reasoning })).body).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'hello' }] }],
    generationConfig: {
      maxOutputTokens: 100,
      thinkingConfig: { includeThoughts: true, ...amount },
    },
  } satisfies Body);
});

it('signatures go back to what they were given with', () => {
  const items = [kept.text('let me look'), kept.call({ thoughtSignature: 'c2ln' }), kept.call()];
  const toolCalls = ['c1', 'c2'].map((callId) => ({
    callId,
    tool: 'fs.read',
    argumentsJson: '{}',
  }));
  const keepsake = { from: 'm', items };
  const turn = { role: 'model', text: 'let me look', toolCalls, keepsake } as const;
  const { body } = generatePost({ ...HELLO, conversation: [turn] }, addressee(AT));
  expect(body['contents']).toMatchObject([
    {
      role: 'model',
      parts: [
        { text: 'let me look' },
        { functionCall: { id: 'c1', name: 'fs_read', args: {} }, thoughtSignature: 'c2ln' },
        { functionCall: { id: 'c2', name: 'fs_read', args: {} } },
      ],
    },
    { role: 'user' },
  ] satisfies Content[]);
});
