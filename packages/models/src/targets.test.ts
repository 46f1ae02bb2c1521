import { describe, expect, it } from 'vitest';
import { anthropic } from './anthropic/provider.ts';
import { type ModelsSettings, modelsSection } from './models-section.ts';
import { openaiChat } from './openai-chat/provider.ts';
import { openaiResponses } from './openai-responses/provider.ts';
import { type Target, targetsOf } from './targets.ts';

type Changes = Partial<ModelsSettings>;

function targets(changes: Changes, provider: 'openai' | 'anthropic' | 'google' = 'openai') {
  return targetsOf(modelsSection.parse({ model: 'm', ...changes }), provider);
}

function first(changes: Changes, provider: 'openai' | 'anthropic' | 'google' = 'openai'): Target {
  return targets(changes, provider).first;
}

describe('the model that the settings name', () => {
  it.each([
    ['openai', 'https://api.openai.com/v1', 'OPENAI_API_KEY'],
    ['anthropic', 'https://api.anthropic.com/', 'ANTHROPIC_API_KEY'],
    ['google', 'https://generativelanguage.googleapis.com/v1beta', 'GEMINI_API_KEY'],
  ] as const)('of %s is at %s with the key in %s', (provider, url, name) => {
    const { baseUrl, keySource } = first({}, provider);
    expect(baseUrl.href).toBe(url);
    expect(keySource).toEqual({ kind: 'environment', name });
  });

  it('speaks the api that was chosen', () => {
    expect(first({}).wire).toBe(openaiChat);
    expect(first({ api: 'responses' }).wire).toBe(openaiResponses);
  });

  it('sends the usual key to no other address', () => {
    expect(first({ base_url: 'http://127.0.0.1:1/v1' }).keySource).toEqual({ kind: 'none' });
    expect(first({ base_url: 'https://api.openai.com.example/v1' }).keySource).toEqual({
      kind: 'none',
    });
    expect(first({ base_url: 'https://api.openai.com/v2' }).keySource).toEqual({
      kind: 'environment',
      name: 'OPENAI_API_KEY',
    });
  });

  it('sends another key where it is told to', () => {
    const base_url = 'https://api.example/v1';
    expect(first({ base_url, key_env: 'A' }).keySource).toEqual({ kind: 'environment', name: 'A' });
    expect(first({ base_url, key_file: '/a' }).keySource).toEqual({ kind: 'file', path: '/a' });
  });

  it('has the prices that were set for it; the cache costs what other input does', () => {
    expect(first({ prices: ['openai:other 1 2'] }).prices).toBeUndefined();
    expect(first({ prices: ['openai:m 3 15'] }).prices).toEqual({
      input: 3,
      output: 15,
      cached: 3,
      cacheWrite: 3,
    });
    expect(first({ prices: ['openai:m 3 15 0.3 3.75'] }).prices).toEqual({
      input: 3,
      output: 15,
      cached: 0.3,
      cacheWrite: 3.75,
    });
  });

  it.each<[string, Changes, string]>([
    ['without a name', { model: '' }, 'CONFIG_INVALID'],
    ['with two keys', { key_env: 'A', key_file: '/a' }, 'CONFIG_CONTRADICTION'],
  ])('is refused %s', (_name, changes, code) => {
    expect(() => targets(changes)).toThrow(expect.objectContaining({ code }));
  });
});

describe('a model to fall back to', () => {
  const settings = {
    base_url: 'http://127.0.0.1:1/v1',
    key_env: 'A',
    prices: ['openai:m 1 1', 'openai:other 2 3'],
  };
  const fallback = (entry: string) => targets({ ...settings, failover: [entry] }).failover[0];

  it('is on the same server with the same key when it names no other', () => {
    expect(fallback('openai:other')).toMatchObject({
      name: 'openai:other',
      model: 'other',
      baseUrl: new URL('http://127.0.0.1:1/v1'),
      keySource: { kind: 'environment', name: 'A' },
      prices: { input: 2, output: 3, cached: 2, cacheWrite: 2 },
    });
  });

  it('never takes the key of the first to another server', () => {
    expect(fallback('openai:other@http://127.0.0.1:2/v1')?.keySource).toEqual({ kind: 'none' });
    expect(fallback('anthropic:other')?.keySource).toEqual({
      kind: 'environment',
      name: 'ANTHROPIC_API_KEY',
    });
  });

  it('speaks the api of the first, or one of its own', () => {
    const newer = { ...settings, api: 'responses' } as const;
    const wireOf = (entry: string) => targets({ ...newer, failover: [entry] }).failover[0]?.wire;
    expect(wireOf('openai:other')).toBe(openaiResponses);
    expect(wireOf('openai+chat:other')).toBe(openaiChat);
    expect(wireOf('openai+chat:other@http://127.0.0.1:2/v1')).toBe(openaiChat);
    expect(wireOf('openai:other@http://127.0.0.1:2/v1')).toBe(openaiResponses);
    expect(wireOf('anthropic:other')).toBe(anthropic);
  });

  it('has a key of its own when it names one', () => {
    expect(fallback('openai:other#B')?.keySource).toEqual({ kind: 'environment', name: 'B' });
  });
});
