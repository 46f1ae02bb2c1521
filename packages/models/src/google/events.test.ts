import { describe, expect, it } from 'vitest';
import { readAll } from '../testing/read-all.fixture.ts';
import { google } from './provider.ts';

const read = readAll.bind(undefined, google);

function candidate(parts: readonly object[], finishReason?: string): object {
  return { candidates: [{ content: { parts }, finishReason }] };
}

const STOP = candidate([], 'STOP');

describe('what is generated', () => {
  it('may be several calls of the same tool, with and without arguments', () => {
    const { toolCalls } = read(
      candidate([{ functionCall: { name: 'fs_read', args: { a: 1 } } }]),
      candidate([{ functionCall: { name: 'fs_read' } }], 'STOP'),
    );
    expect(toolCalls).toEqual([
      { kind: 'tool-call', tool: 'fs.read', argumentsJson: '{"a":1}' },
      { kind: 'tool-call', tool: 'fs.read', argumentsJson: '{}' },
    ]);
  });

  it.each([
    [null, '{}'],
    ['secrets-only-please', '"secrets-only-please"'],
    ['', '""'],
    [[{ path: 'sub' }], '[{"path":"sub"}]'],
    [0, '0'],
    [false, 'false'],
  ])('hands on arguments that are %j as they were said', (args, argumentsJson) => {
    const { toolCalls } = read(candidate([{ functionCall: { name: 'fs_list', args } }], 'STOP'));
    expect(toolCalls).toEqual([{ kind: 'tool-call', tool: 'fs.list', argumentsJson }]);
  });

  it('counts thoughts as output', () => {
    const usageMetadata = {
      promptTokenCount: 10,
      candidatesTokenCount: 2,
      thoughtsTokenCount: 30,
      cachedContentTokenCount: 4,
    };
    expect(read({ usageMetadata }, STOP).counts).toEqual({
      inputTokens: 10,
      outputTokens: 32,
      cachedTokens: 4,
      cacheWriteTokens: 0,
    });
  });

  it.each([
    ['MAX_TOKENS', 'output-limit'],
    ['SAFETY', 'refused'],
    ['RECITATION', 'refused'],
    ['PROHIBITED_CONTENT', 'refused'],
    ['SOMETHING_NEW', 'refused'],
    ['MALFORMED_FUNCTION_CALL', 'broken-stream'],
    ['OTHER', 'broken-stream'],
  ])('and finished with %s has failed', (finish, reason) => {
    expect(read(candidate([{ text: 'a' }], finish)).failure?.reason).toBe(reason);
  });

  it('for a prompt that is blocked is a refusal', () => {
    expect(read({ promptFeedback: { blockReason: 'SAFETY' } }).failure?.reason).toBe('refused');
  });

  it('without an end broke off', () => {
    expect(read(candidate([{ text: 'a' }])).failure?.reason).toBe('broken-stream');
  });

  it('may be an error', () => {
    const error = { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '3s' }] };
    expect(() => read({ error })).toThrow(
      expect.objectContaining({ reason: 'rate-limited', retryAfterMs: 3000 }),
    );
  });

  it.each([[null], [{}], [{ candidates: [] }], [candidate([{ new_part: 1 }])]])(
    'and is %j says nothing',
    (event) => {
      expect(read(event, STOP)).toEqual({ said: [], toolCalls: [] });
    },
  );
});
