import type {
  ContentBlock,
  Message,
  MessageDeltaUsage,
  RawContentBlockDelta,
  RawMessageStreamEvent,
  StopReason,
  Usage,
} from '@anthropic-ai/sdk/resources/messages';
import { type Speech, named, pieces } from './speech.fixture.ts';

/** The events of a message, block by block. */
export function speakMessages(speech: Speech): string {
  const { reasoning = [], text = [], calls = [], usage, finish = 'done' } = speech;
  const stop: Readonly<Record<string, StopReason>> = {
    done: calls.length > 0 ? 'tool_use' : 'end_turn',
    limit: 'max_tokens',
    refusal: 'refusal',
  };
  return [
    begun(usage),
    named('ping', { type: 'ping' }),
    ...thought(reasoning),
    ...block(
      1,
      { type: 'text', text: '', citations: null },
      text.map((each) => ({ type: 'text_delta', text: each })),
    ),
    ...calls.flatMap(({ name, args }, place) =>
      block(
        place + 2,
        { type: 'tool_use', id: `toolu_${place}`, name, input: {}, caller: { type: 'direct' } },
        pieces(JSON.stringify(args)).map((piece) => ({
          type: 'input_json_delta',
          partial_json: piece,
        })),
      ),
    ),
    ...ended(stop[finish] ?? 'end_turn', usage),
  ].join('');
}

/** A thought is signed at its end. */
function thought(reasoning: readonly string[]): readonly string[] {
  if (reasoning.length === 0) return [];
  return block(0, { type: 'thinking', thinking: '', signature: '' }, [
    ...reasoning.map((thinking) => ({ type: 'thinking_delta', thinking }) as const),
    { type: 'signature_delta', signature: 'c2ln' },
  ]);
}

function ended(stop_reason: StopReason, usage: Speech['usage']): readonly string[] {
  const counted: MessageDeltaUsage = {
    input_tokens: null,
    output_tokens: usage?.output ?? 0,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
    output_tokens_details: null,
    server_tool_use: null,
  };
  const delta = { stop_reason, stop_sequence: null, stop_details: null, container: null };
  // Servers that copy this API may leave the counts out.
  const last = { type: 'message_delta', delta, usage: counted } satisfies RawMessageStreamEvent;
  const { usage: _counted, ...uncounted } = last;
  return [
    named(last.type, usage === undefined ? uncounted : last),
    named('message_stop', { type: 'message_stop' } satisfies RawMessageStreamEvent),
  ];
}

function begun(usage: Speech['usage']): string {
  const counted: Usage = {
    input_tokens: (usage?.input ?? 0) - (usage?.cached ?? 0),
    cache_read_input_tokens: usage?.cached ?? 0,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
    cache_creation: null,
    inference_geo: null,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
  };
  const message: Message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'test-model',
    content: [],
    container: null,
    diagnostics: null,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: counted,
  };
  const { usage: _counted, ...uncounted } = message;
  const start = { type: 'message_start', message } satisfies RawMessageStreamEvent;
  return named(start.type, usage === undefined ? { ...start, message: uncounted } : start);
}

function block(
  index: number,
  content_block: ContentBlock,
  deltas: readonly RawContentBlockDelta[],
): readonly string[] {
  const events: readonly RawMessageStreamEvent[] = [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta }) as const),
    { type: 'content_block_stop', index },
  ];
  return events.map((event) => named(event.type, event));
}
