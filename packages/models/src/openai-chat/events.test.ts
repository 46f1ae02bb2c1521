import { describe, expect, it } from 'vitest';
import { readAll } from '../testing/read-all.fixture.ts';
import { openaiChat } from './provider.ts';

function delta(fields: object, finish: string | null = null): object {
  return { choices: [{ index: 0, delta: fields, finish_reason: finish }] };
}

function pieces(...tool_calls: object[]): object {
  return delta({ tool_calls });
}

const STOP = delta({}, 'tool_calls');
const read = readAll.bind(undefined, openaiChat);

function call(tool: string, argumentsJson: string): object {
  return { kind: 'tool-call', tool, argumentsJson };
}

describe('tool calls in chunks', () => {
  it('may come whole, and without arguments', () => {
    const { toolCalls } = read(
      pieces({ index: 0, id: 'a', function: { name: 'fs_read', arguments: '{"a":1}' } }),
      pieces({ index: 1, id: 'b', function: { name: 'fs_list' } }),
      STOP,
    );
    expect(toolCalls).toEqual([call('fs.read', '{"a":1}'), call('fs.list', '{}')]);
  });

  it('may all have the index 0 and differ in their ids', () => {
    const { toolCalls } = read(
      pieces({ index: 0, id: 'a', function: { name: 'x', arguments: '{"a":' } }),
      pieces({ index: 0, function: { arguments: '1}' } }),
      pieces({ index: 0, id: 'b', function: { name: 'y', arguments: '{}' } }),
      STOP,
    );
    expect(toolCalls).toEqual([call('x', '{"a":1}'), call('y', '{}')]);
  });

  it('may have no index at all', () => {
    const { toolCalls } = read(
      pieces({ id: 'a', function: { name: 'x', arguments: '{' } }),
      pieces({ function: { arguments: '}' } }),
      pieces({ id: 'b', function: { name: 'y', arguments: '{}' } }),
      STOP,
    );
    expect(toolCalls).toEqual([call('x', '{}'), call('y', '{}')]);
  });

  it('may repeat their id and name in every piece', () => {
    const piece = (text: string) =>
      pieces({ index: 0, id: 'a', function: { name: 'x', arguments: text } });
    expect(read(piece('{"a"'), piece(':1}'), STOP).toolCalls).toEqual([call('x', '{"a":1}')]);
  });

  it.each([
    [{ b: 1 }, '{"b":1}'],
    [['/etc'], '["/etc"]'],
    [7, '7'],
    [null, '{}'],
  ])('may bring as arguments %j, which are handed on as they were said', (said, argumentsJson) => {
    const { toolCalls } = read(
      pieces({ index: 0, id: 'a', function: { name: 'x', arguments: said } }),
      STOP,
    );
    expect(toolCalls).toEqual([call('x', argumentsJson)]);
  });

  it('are passed on as they are when their arguments are not json', () => {
    const { toolCalls } = read(
      pieces({ index: 0, id: 'a', function: { name: 'x', arguments: '{"a":' } }),
      STOP,
    );
    expect(toolCalls).toEqual([call('x', '{"a":')]);
  });

  it('count also when a server ends with `stop`', () => {
    const { toolCalls } = read(
      pieces({ index: 0, function: { name: 'x', arguments: '{}' } }),
      delta({}, 'stop'),
    );
    expect(toolCalls).toHaveLength(1);
  });

  it('are bounded in number and length', () => {
    const many = Array.from({ length: 1025 }, (_, index) => ({ index, function: { name: 'x' } }));
    expect(() => read(pieces(...many))).toThrow('more than 1024 tool calls');
    const long = { index: 0, function: { name: 'x', arguments: 'x'.repeat(1024 * 1024 + 1) } };
    expect(() => read(pieces(long))).toThrow('longer than 1048576 characters');
  });
});

describe('words in chunks', () => {
  it('of reasoning have one of two names, and count once when they have both', () => {
    const { said } = read(
      delta({ reasoning: 'a' }),
      delta({ reasoning_content: 'b' }),
      delta({ reasoning: 'c', reasoning_content: 'c' }),
    );
    expect(said.map((event) => ('text' in event ? event.text : ''))).toEqual(['a', 'b', 'c']);
  });

  it('of refusal are what the model says', () => {
    expect(read(delta({ refusal: 'I will not' }), delta({}, 'stop'))).toEqual({
      said: [{ kind: 'text', text: 'I will not' }],
      toolCalls: [],
    });
  });

  it('of another choice are not taken', () => {
    const other = { choices: [{ index: 1, delta: { content: 'x' }, finish_reason: 'stop' }] };
    const { said, failure } = read(other);
    expect(said).toEqual([]);
    expect(failure?.reason).toBe('broken-stream');
  });
});

describe('usage in chunks', () => {
  it('is the last that was told', () => {
    const usage = (completion_tokens: number) => ({
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens },
    });
    expect(read(usage(1), usage(2), STOP, { ...usage(9), usage: null }).counts).toEqual({
      inputTokens: 5,
      outputTokens: 2,
      cachedTokens: 0,
      cacheWriteTokens: 0,
    });
  });
});

it.each([[null], [1], ['text'], [[]], [{}], [{ choices: {} }], [{ choices: [null] }], [delta([])]])(
  'the chunk %j says nothing',
  (event) => {
    expect(read(event, delta({}, 'stop'))).toEqual({ said: [], toolCalls: [] });
  },
);

it.each([
  ['length', 'output-limit'],
  ['content_filter', 'refused'],
  ['error', 'broken-stream'],
])('a stream that finishes with %s has failed', (finish, reason) => {
  expect(read(delta({ content: 'a' }), delta({}, finish)).failure?.reason).toBe(reason);
});

it.each([['text'], [{ message: 'gone' }]])('the error %j in a stream is thrown', (error) => {
  expect(() => read({ error })).toThrow('the provider is overloaded or broken');
});
