import { describe, expect, it } from 'vitest';
import { parseFailover } from './failover-entry.ts';

describe('a model to fall back to', () => {
  it.each([
    ['openai:gpt-5', { provider: 'openai', model: 'gpt-5' }],
    ['google:models/gemini-3', { provider: 'google', model: 'models/gemini-3' }],
    ['anthropic:claude@20250101', { provider: 'anthropic', model: 'claude@20250101' }],
    ['openai+responses:gpt-5', { provider: 'openai', model: 'gpt-5', api: 'responses' }],
    [
      'openai+chat:a@http://127.0.0.1:1/v1#KEY',
      {
        provider: 'openai',
        model: 'a',
        api: 'chat',
        baseUrl: 'http://127.0.0.1:1/v1',
        keyEnv: 'KEY',
      },
    ],
    ['openai:a:free#KEY', { provider: 'openai', model: 'a:free', keyEnv: 'KEY' }],
    [
      'openai:qwen3:8b@http://127.0.0.1:11434/v1',
      { provider: 'openai', model: 'qwen3:8b', baseUrl: 'http://127.0.0.1:11434/v1' },
    ],
    [
      'openai:a/b@https://openrouter.ai/api/v1#ROUTER_KEY',
      {
        provider: 'openai',
        model: 'a/b',
        baseUrl: 'https://openrouter.ai/api/v1',
        keyEnv: 'ROUTER_KEY',
      },
    ],
  ])('is read from %j', (text, entry) => {
    expect(parseFailover(text)).toEqual(entry);
  });

  it.each([
    '',
    'openai',
    'openai:',
    'script:a',
    'anthropic+responses:a',
    'openai+completions:a',
    'openai+:a',
    'openai:a b',
    'openai:a\u202Eb',
    'openai:a\u0000',
    'openai:a#not-a-name',
    'openai:a@https://user:secret@api.example',
    'openai:a@https://api.example/?key=secret',
    `openai:${'a'.repeat(257)}`,
    `openai:a@https://${'a'.repeat(3000)}`,
  ])('is none in %j', (text) => {
    expect(parseFailover(text)).toBeUndefined();
  });
});
