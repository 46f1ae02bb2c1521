import { type Speech, named, pieces } from './speech.fixture.ts';

interface Said {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The events of a response, numbered. */
export function speakResponses(speech: Speech): string {
  const { reasoning = [], text = [], calls = [], finish = 'done' } = speech;
  const response = { id: 'resp_1', object: 'response', output: [], usage: counted(speech.usage) };
  const why = finish === 'limit' ? 'max_output_tokens' : 'content_filter';
  const events: readonly Said[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', usage: null } },
    ...reasoning.map((delta) => ({
      type: 'response.reasoning_summary_text.delta',
      item_id: 'rs_1',
      output_index: 0,
      summary_index: 0,
      delta,
    })),
    ...text.map((delta) => ({
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 1,
      content_index: 0,
      delta,
      logprobs: [],
    })),
    ...calls.flatMap((call, place) => called(call, place + 2)),
    finish === 'done'
      ? { type: 'response.completed', response: { ...response, status: 'completed' } }
      : {
          type: 'response.incomplete',
          response: { ...response, status: 'incomplete', incomplete_details: { reason: why } },
        },
  ];
  return events.map((event, order) => named({ ...event, sequence_number: order })).join('');
}

function called(
  { name, args }: NonNullable<Speech['calls']>[number],
  output_index: number,
): readonly Said[] {
  const id = `fc_${output_index}`;
  const item = { type: 'function_call', id, call_id: `call_${output_index}`, name };
  const whole = JSON.stringify(args);
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', arguments: '' },
    },
    ...pieces(whole).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      item_id: id,
      output_index,
      delta,
    })),
    {
      type: 'response.function_call_arguments.done',
      item_id: id,
      output_index,
      name,
      arguments: whole,
    },
    {
      type: 'response.output_item.done',
      output_index,
      item: { ...item, status: 'completed', arguments: whole },
    },
  ];
}

function counted(usage: Speech['usage']): object | null {
  if (usage === undefined) return null;
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens_details: { reasoning_tokens: 0 },
  };
}
