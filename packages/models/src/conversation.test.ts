import { describe, expect, it } from 'vitest';
import { NO_RESULT, argumentsOf, imageBase64, tidy } from './conversation.ts';
import type { ModelToolCall, Turn } from './model-port.ts';

function call(callId: string): ModelToolCall {
  return { callId, tool: 'fs.read', argumentsJson: '{}' };
}

function asks(...callIds: string[]): Turn {
  return { role: 'model', text: '', toolCalls: callIds.map(call) };
}

describe('a conversation for a provider', () => {
  it('has the results behind their calls, in their order', () => {
    const turns: Turn[] = [
      asks('a', 'b'),
      { role: 'tool', callId: 'b', text: '2' },
      { role: 'user', text: 'hurry' },
      { role: 'tool', callId: 'a', text: '1' },
    ];
    expect(tidy(turns)).toEqual([
      asks('a', 'b'),
      {
        role: 'tools',
        results: [
          { call: call('a'), text: '1' },
          { call: call('b'), text: '2' },
        ],
      },
      { role: 'user', text: 'hurry' },
    ]);
  });

  it('says of a call without a result that there is none', () => {
    const turns: Turn[] = [asks('a'), { role: 'user', text: 'go on' }];
    expect(tidy(turns)[1]).toEqual({
      role: 'tools',
      results: [{ call: call('a'), text: NO_RESULT }],
    });
  });

  it('leaves out results that nobody asked for, and turns that say nothing', () => {
    const turns: Turn[] = [
      { role: 'tool', callId: 'x', text: 'stray' },
      { role: 'user', text: '' },
      { role: 'model', text: '', toolCalls: [] },
      { role: 'user', text: 'hi' },
    ];
    expect(tidy(turns)).toEqual([{ role: 'user', text: 'hi' }]);
  });

  it('does not take a later answer for an earlier call of the same id', () => {
    const turns: Turn[] = [asks('a'), asks('a'), { role: 'tool', callId: 'a', text: 'late' }];
    expect(tidy(turns)[1]).toEqual({
      role: 'tools',
      results: [{ call: call('a'), text: NO_RESULT }],
    });
  });
});

describe('the arguments of an earlier call', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['{"a":', { not_a_json_object: '{"a":' }],
    ['[1]', { not_a_json_object: '[1]' }],
    ['null', { not_a_json_object: 'null' }],
    ['', { not_a_json_object: '' }],
    ['{"a":1e999}', { not_a_json_object: '{"a":1e999}' }],
  ])('%j are an object', (argumentsJson, object) => {
    expect(argumentsOf({ ...call('a'), argumentsJson })).toEqual(object);
  });
});

it('arguments that are nested too deeply are not sent as an object', () => {
  const argumentsJson = `{"a":${'['.repeat(201)}${']'.repeat(201)}}`;
  expect(argumentsOf({ ...call('a'), argumentsJson })).toEqual({
    not_a_json_object: argumentsJson,
  });
});

describe('an image', () => {
  it('is written in base64, its own bytes only', () => {
    const bytes = Uint8Array.of(9, 9, 1, 2, 3, 9).subarray(2, 5);
    expect(imageBase64({ mediaType: 'image/png', bytes })).toBe('AQID');
  });

  it.each(['image/svg+xml', 'text/html', ''])('of the type %j is refused', (mediaType) => {
    const act = () => imageBase64({ mediaType, bytes: new Uint8Array(1) });
    expect(act).toThrow(expect.objectContaining({ reason: 'bad-request' }));
  });

  it('that is too large is refused', () => {
    const bytes = new Uint8Array(5 * 1024 * 1024 + 1);
    expect(() => imageBase64({ mediaType: 'image/png', bytes })).toThrow('larger than 5242880');
  });
});
