import type { ModelRequest } from '../model-port.ts';

/** A conversation with everything in it: an image, two calls at once, results, a second question. */
export const SAMPLE_REQUEST: ModelRequest = {
  system: 'be brief',
  conversation: [
    {
      role: 'user',
      text: 'what is this?',
      images: [{ mediaType: 'image/png', bytes: Uint8Array.of(1, 2, 3) }],
    },
    {
      role: 'model',
      text: 'let me look',
      toolCalls: [
        { callId: 'c1', tool: 'fs.read', argumentsJson: '{"path":"a"}' },
        { callId: 'c2', tool: 'fs.list', argumentsJson: 'oops' },
      ],
    },
    { role: 'tool', callId: 'c2', text: 'second' },
    { role: 'tool', callId: 'c1', text: 'first' },
    { role: 'model', text: 'a picture', toolCalls: [] },
    { role: 'user', text: 'thanks' },
  ],
  tools: [
    {
      name: 'fs.read',
      says: 'reads a file',
      schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
    { name: 'fs.list', says: 'lists a folder', schema: { type: 'object' } },
  ],
  maxOutputTokens: 1000,
};

export const HELLO: ModelRequest = {
  system: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  maxOutputTokens: 100,
};
