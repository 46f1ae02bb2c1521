import { describe, expect, it } from 'vitest';
import { readAll } from '../testing/read-all.fixture.ts';
import { openaiResponses } from './provider.ts';

const read = readAll.bind(undefined, openaiResponses);
const DONE = { type: 'response.completed', response: { usage: null } };

describe('the events of a response', () => {
  it('keep interleaved calls apart', () => {
    const added = (output_index: number, name: string) => ({
      type: 'response.output_item.added',
      output_index,
      item: { type: 'function_call', name, arguments: '' },
    });
    const piece = (output_index: number, text: string) => ({
      type: 'response.function_call_arguments.delta',
      output_index,
      delta: text,
    });
    const { toolCalls } = read(
      added(0, 'a'),
      added(1, 'b'),
      piece(1, '{"y":'),
      piece(0, '{"x":'),
      piece(1, '2}'),
      piece(0, '1}'),
      DONE,
    );
    expect(toolCalls).toEqual([
      { kind: 'tool-call', tool: 'a', argumentsJson: '{"x":1}' },
      { kind: 'tool-call', tool: 'b', argumentsJson: '{"y":2}' },
    ]);
  });

  it('may tell of a call only when it is done', () => {
    const item = { type: 'function_call', name: 'fs_read', arguments: '{"a":1}' };
    const { toolCalls } = read({ type: 'response.output_item.done', output_index: 3, item }, DONE);
    expect(toolCalls).toEqual([{ kind: 'tool-call', tool: 'fs.read', argumentsJson: '{"a":1}' }]);
  });

  it.each([
    ['added', ['/etc'], '["/etc"]'],
    ['added', '{"a":1}', '{"a":1}'],
    ['added', null, '{}'],
    ['done', { a: 1 }, '{"a":1}'],
    ['done', 7, '7'],
    ['done', undefined, '{}'],
  ])('hand on arguments when %s, %j, as they were said', (when, said, argumentsJson) => {
    const item = { type: 'function_call', name: 'fs_list', arguments: said };
    const { toolCalls } = read(
      { type: `response.output_item.${when}`, output_index: 0, item },
      DONE,
    );
    expect(toolCalls).toEqual([{ kind: 'tool-call', tool: 'fs.list', argumentsJson }]);
  });

  it.each([[{ a: 1 }], ['{"a":1}']])('keep the piece %j when the end has none', (delta) => {
    const item = { type: 'function_call', name: 'fs_list', arguments: '' };
    const { toolCalls } = read(
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta },
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: '' },
      { type: 'response.output_item.done', output_index: 0, item },
      DONE,
    );
    expect(toolCalls).toEqual([{ kind: 'tool-call', tool: 'fs.list', argumentsJson: '{"a":1}' }]);
  });

  it('part the parts of a summary', () => {
    const part = (summary_index: number) => ({
      type: 'response.reasoning_summary_part.added',
      summary_index,
    });
    const { said } = read(
      part(0),
      { type: 'response.reasoning_summary_text.delta', delta: 'a' },
      part(1),
      { type: 'response.reasoning_text.delta', delta: 'b' },
    );
    expect(said.map((event) => ('text' in event ? event.text : '')).join('')).toBe('a\n\nb');
  });

  it('say a refusal as text', () => {
    expect(read({ type: 'response.refusal.delta', delta: 'no' }, DONE).said).toEqual([
      { kind: 'text', text: 'no' },
    ]);
  });

  it.each([
    [{ type: 'error', code: 'rate_limit_exceeded', message: 'slow' }, 'rate-limited'],
    [{ type: 'error', error: { type: 'server_error', message: 'x' } }, 'overloaded'],
    [{ type: 'response.failed', response: { error: { code: 'server_error' } } }, 'overloaded'],
    [{ type: 'response.failed' }, 'overloaded'],
    [{ error: { code: 'context_length_exceeded' } }, 'context-too-long'],
  ])('fail with %j', (event, reason) => {
    expect(() => read(event)).toThrow(expect.objectContaining({ reason }));
  });

  it.each([
    [null],
    [{}],
    [{ type: 'response.new_thing' }],
    [{ type: 'response.output_item.added' }],
  ])('are left alone when they are %j', (event) => {
    expect(read(event, DONE)).toEqual({ said: [], toolCalls: [] });
  });

  it('without an end are a stream that broke off', () => {
    expect(read({ type: 'response.in_progress' }).failure?.reason).toBe('broken-stream');
  });

  it('fail when a piece of a call has no call', () => {
    const piece = { type: 'response.function_call_arguments.delta', output_index: 7, delta: '{' };
    expect(() => read(piece)).toThrow('a piece of a tool call came before the call');
  });
});
