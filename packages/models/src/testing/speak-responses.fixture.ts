import type {
  Response,
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseStreamEvent,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import { type Speech, named, pieces } from './speech.fixture.ts';

/** Numbered when they are sent. */
type Said = ResponseStreamEvent extends infer Event
  ? Event extends { readonly sequence_number: number }
    ? Omit<Event, 'sequence_number'>
    : never
  : never;

/** The events of a response, numbered. */
export function speakResponses(speech: Speech): string {
  const { reasoning = [], text = [], calls = [], finish = 'done' } = speech;
  const why = finish === 'limit' ? 'max_output_tokens' : 'content_filter';
  const begun = { ...RESPONSE, status: 'in_progress' } as const;
  const over = { ...RESPONSE, ...counted(speech.usage) };
  const events: readonly Said[] = [
    { type: 'response.created', response: begun },
    ...(reasoning.length === 0 ? [] : thought(reasoning)),
    ...(text.length === 0 ? [] : spoken(text)),
    ...calls.flatMap((call, place) => called(call, place + 2)),
    finish === 'done'
      ? { type: 'response.completed', response: { ...over, status: 'completed' } }
      : {
          type: 'response.incomplete',
          response: { ...over, status: 'incomplete', incomplete_details: { reason: why } },
        },
  ];
  return events
    .map((event, order) => named(event.type, { ...event, sequence_number: order }))
    .join('');
}

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  access_programs: null,
  created_at: 1_700_000_000,
  output_text: '',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: 'test-model',
  output: [],
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
} satisfies Response;

function thought(reasoning: readonly string[]): readonly Said[] {
  const whole = reasoning.join('');
  const [item_id, output_index] = ['rs_1', 0];
  const begun: ResponseOutputItem = { type: 'reasoning', id: item_id, summary: [] };
  const summary = [{ type: 'summary_text', text: whole } as const];
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...reasoning.map((delta) => ({
      type: 'response.reasoning_summary_text.delta' as const,
      item_id,
      output_index,
      summary_index: 0,
      delta,
    })),
    {
      type: 'response.output_item.done',
      output_index,
      item: { ...begun, summary, encrypted_content: 'c2VhbGVk' },
    },
  ];
}

function spoken(text: readonly string[]): readonly Said[] {
  const [item_id, output_index] = ['msg_1', 1];
  const message = { type: 'message', id: item_id, role: 'assistant' } as const;
  const part = { type: 'output_text', text: text.join(''), annotations: [], logprobs: [] } as const;
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...message, status: 'in_progress', content: [] },
    },
    ...text.map((delta) => ({
      type: 'response.output_text.delta' as const,
      item_id,
      output_index,
      content_index: 0,
      delta,
      logprobs: [],
    })),
    {
      type: 'response.output_item.done',
      output_index,
      item: {
        ...message,
        status: 'completed',
        content: [{ ...part, annotations: [], logprobs: [] }],
      },
    },
  ];
}

function called(
  { name, args }: NonNullable<Speech['calls']>[number],
  output_index: number,
): readonly Said[] {
  const id = `fc_${output_index}`;
  const whole = JSON.stringify(args);
  const item = {
    type: 'function_call',
    id,
    call_id: `call_${output_index}`,
    name,
    arguments: whole,
  } satisfies ResponseFunctionToolCall;
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', arguments: '' },
    },
    ...pieces(whole).map((delta) => ({
      type: 'response.function_call_arguments.delta' as const,
      item_id: id,
      output_index,
      delta,
    })),
    {
      type: 'response.function_call_arguments.done',
      item_id: id,
      output_index,
      arguments: whole,
    },
    { type: 'response.output_item.done', output_index, item: { ...item, status: 'completed' } },
  ];
}

function counted(usage: Speech['usage']): { readonly usage?: ResponseUsage } {
  if (usage === undefined) return {};
  return {
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      input_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
}
