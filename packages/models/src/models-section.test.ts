import { describe, expect, it } from 'vitest';
import { modelsSection } from './models-section.ts';

describe('the section `models`', () => {
  it('plays the built-in script unless told otherwise, and has a bound for everything', () => {
    expect(modelsSection.parse({})).toEqual({
      provider: 'script',
      script: '',
      model: '',
      base_url: '',
      plain_text: 'loopback',
      api: 'chat',
      key_env: '',
      key_file: '',
      max_output_tokens: 16_384,
      connect_timeout_ms: 10_000,
      first_byte_timeout_ms: 180_000,
      idle_timeout_ms: 120_000,
      total_timeout_ms: 900_000,
      attempts: 4,
      retry_wait_ms: 60_000,
      reasoning: 'default',
      failover: [],
      choices: [],
      prices: [],
    });
  });

  it.each([
    [{ script: '/srv/a.json' }],
    [{ provider: 'openai', model: 'a', base_url: 'http://127.0.0.1:11434/v1', api: 'responses' }],
    [{ provider: 'anthropic', key_file: '/etc/palyra/key' }],
    [{ provider: 'google', key_env: 'MY_KEY_2' }],
    [{ failover: ['anthropic:a', 'openai:b:free@https://openrouter.ai/api/v1#ROUTER_KEY'] }],
    [{ choices: ['openai:b', 'anthropic:a'] }],
    [{ reasoning: 'high', reasoning_tokens: 4096 }],
    [{ prices: ['openai:a 0.25 2', 'anthropic:b 3 15 0.3 3.75'] }],
  ])('takes %j', (section) => {
    expect(modelsSection.parse(section)).toMatchObject(section);
  });

  it.each([
    [{ provider: 'other' }],
    [{ script: 'a.json' }],
    [{ script: './a.json' }],
    [{ script: 1 }],
    [{ script: `/${'a'.repeat(4096)}` }],
    [{ scripts: '/srv/a.json' }],
    [{ base_url: 'api.example' }],
    [{ base_url: 'file:///etc/passwd' }],
    [{ base_url: 'https://user:secret@api.example' }],
    [{ base_url: 'https://api.example/?key=secret' }],
    [{ key_env: 'MY-KEY' }],
    [{ key_env: 'MY KEY' }],
    [{ key_file: 'key' }],
    [{ max_output_tokens: 0 }],
    [{ idle_timeout_ms: 0 }],
    [{ attempts: 11 }],
    [{ failover: ['gpt-5'] }],
    [{ failover: Array.from({ length: 9 }, () => 'openai:a') }],
    [{ choices: ['gpt-5'] }],
    [{ choices: Array.from({ length: 33 }, () => 'openai:a') }],
    [{ reasoning: 'much' }],
    [{ reasoning_tokens: 1 }],
    [{ prices: ['openai:a 1'] }],
    [{ prices: ['openai:a 1 -2'] }],
    [{ prices: ['openai:a 1 2 3 4 5'] }],
    [{ prices: ['a 1 2'] }],
    [{ prices: ['openai:a 1 NaN'] }],
    [{ key: 'sk-0123456789abcdef' }],
  ])('refuses %j', (section) => {
    expect(modelsSection.safeParse(section).success).toBe(false);
  });

  it('describes every key', () => {
    for (const schema of Object.values(modelsSection.shape)) {
      expect(schema.description).toMatch(/^[a-z]/);
    }
  });
});
