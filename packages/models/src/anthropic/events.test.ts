import { describe, expect, it } from 'vitest';
import { readAll } from '../testing/read-all.fixture.ts';
import { anthropic } from './provider.ts';

const read = readAll.bind(undefined, anthropic);
const STOP = { type: 'message_stop' };

function stopped(stop_reason: string, usage?: object): object {
  return { type: 'message_delta', delta: { stop_reason }, usage };
}

describe('the events of a message', () => {
  it('count what was read from and written to the cache as input', () => {
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 200,
      cache_creation_input_tokens: 30,
      output_tokens: 1,
    };
    const { counts } = read(
      { type: 'message_start', message: { usage } },
      stopped('end_turn', { output_tokens: 50 }),
      STOP,
    );
    expect(counts).toEqual({
      inputTokens: 240,
      outputTokens: 50,
      cachedTokens: 200,
      cacheWriteTokens: 30,
    });
  });

  it('may bring a call whole', () => {
    const content_block = { type: 'tool_use', name: 'fs_read', input: { a: 1 } };
    const { toolCalls } = read(
      { type: 'content_block_start', index: 0, content_block },
      stopped('tool_use'),
      STOP,
    );
    expect(toolCalls).toEqual([{ kind: 'tool-call', tool: 'fs.read', argumentsJson: '{"a":1}' }]);
  });

  it.each([
    [undefined, undefined, '{}'],
    [null, undefined, '{}'],
    ['/etc', undefined, '"/etc"'],
    [['/etc'], undefined, '["/etc"]'],
    [7, undefined, '7'],
    ['', '{"a":1}', '{"a":1}'],
    [{}, { a: 1 }, '{"a":1}'],
    [{}, ['/etc'], '["/etc"]'],
  ])('hand on the input %j with the piece %j as it was said', (input, piece, argumentsJson) => {
    const content_block = { type: 'tool_use', name: 'fs_list', input };
    const delta = { type: 'input_json_delta', partial_json: piece };
    const { toolCalls } = read(
      { type: 'content_block_start', index: 0, content_block },
      { type: 'content_block_delta', index: 0, delta },
      stopped('tool_use'),
      STOP,
    );
    expect(toolCalls).toEqual([{ kind: 'tool-call', tool: 'fs.list', argumentsJson }]);
  });

  it('of the tools of the provider itself are no calls of ours', () => {
    const content_block = { type: 'server_tool_use', name: 'web_search' };
    const delta = { type: 'input_json_delta', partial_json: '{}' };
    const { toolCalls, failure } = read(
      { type: 'content_block_start', index: 0, content_block },
      { type: 'content_block_delta', index: 0, delta },
      stopped('end_turn'),
      STOP,
    );
    expect(toolCalls).toEqual([]);
    expect(failure).toBeUndefined();
  });

  it.each([
    ['max_tokens', 'output-limit'],
    ['refusal', 'refused'],
    ['model_context_window_exceeded', 'context-too-long'],
  ])('that stop with %s have failed', (stop, reason) => {
    expect(read(stopped(stop), STOP).failure?.reason).toBe(reason);
  });

  it('without a last one are a stream that broke off', () => {
    expect(read(stopped('tool_use')).failure?.reason).toBe('broken-stream');
    expect(read(STOP).failure?.reason).toBe('broken-stream');
  });

  it('that are an error are thrown', () => {
    const error = { type: 'overloaded_error', message: 'busy' };
    expect(() => read({ type: 'error', error })).toThrow(
      expect.objectContaining({ reason: 'overloaded' }),
    );
  });

  it.each([[null], [{}], [{ type: 'ping' }], [{ type: 'new' }], [{ type: 'content_block_start' }]])(
    'are left alone when they are %j',
    (event) => {
      expect(read(event, stopped('end_turn'), STOP)).toEqual({ said: [], toolCalls: [] });
    },
  );
});
