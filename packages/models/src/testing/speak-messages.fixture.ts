import { type Speech, named, pieces } from './speech.fixture.ts';

/** The events of a message, block by block. */
export function speakMessages(speech: Speech): string {
  const { reasoning = [], text = [], calls = [], usage, finish = 'done' } = speech;
  const stop = {
    done: calls.length > 0 ? 'tool_use' : 'end_turn',
    limit: 'max_tokens',
    refusal: 'refusal',
  };
  return [
    begun(usage),
    named({ type: 'ping' }),
    ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
      ...reasoning.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'c2ln' },
    ]),
    ...block(
      1,
      { type: 'text', text: '' },
      text.map((each) => ({ type: 'text_delta', text: each })),
    ),
    ...calls.flatMap(({ name, args }, place) =>
      block(
        place + 2,
        { type: 'tool_use', id: `toolu_${place}`, name, input: {} },
        pieces(JSON.stringify(args)).map((piece) => ({
          type: 'input_json_delta',
          partial_json: piece,
        })),
      ),
    ),
    named({
      type: 'message_delta',
      delta: { stop_reason: stop[finish], stop_sequence: null },
      ...(usage === undefined ? {} : { usage: { output_tokens: usage.output } }),
    }),
    named({ type: 'message_stop' }),
  ].join('');
}

function begun(usage: Speech['usage']): string {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'test-model',
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  if (usage === undefined) return named({ type: 'message_start', message });
  const counted = {
    input_tokens: usage.input - usage.cached,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  };
  return named({ type: 'message_start', message: { ...message, usage: counted } });
}

function block(index: number, start: object, deltas: readonly object[]): readonly string[] {
  return [
    named({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
    named({ type: 'content_block_stop', index }),
  ];
}
