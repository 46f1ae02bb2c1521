import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { type Speech, data, pieces } from './speech.fixture.ts';

/** `chat.completion.chunk` objects and the line that ends them. */
export function speakChat(speech: Speech): string {
  const { reasoning = [], text = [], calls = [], finish = 'done' } = speech;
  const stop: Readonly<Record<string, FinishReason>> = {
    done: calls.length > 0 ? 'tool_calls' : 'stop',
    limit: 'length',
    refusal: 'content_filter',
  };
  return [
    delta({ role: 'assistant', content: '' }),
    ...reasoning.map((each) => delta({ reasoning_content: each })),
    ...text.map((content) => delta({ content })),
    ...called(calls),
    delta({}, stop[finish] ?? null),
    ...counted(speech.usage),
    'data: [DONE]\n\n',
  ].join('');
}

type FinishReason = ChatCompletionChunk.Choice['finish_reason'];

/** OpenAI itself keeps its thoughts; this is what others call them. */
type Delta = ChatCompletionChunk.Choice.Delta & { readonly reasoning_content?: string };

const CHUNK = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'test-model',
} as const;

function delta(fields: Delta, reason: FinishReason = null): string {
  return data({
    ...CHUNK,
    choices: [{ index: 0, delta: fields, logprobs: null, finish_reason: reason }],
  } satisfies ChatCompletionChunk);
}

/** Pieces of all calls take turns, as they do when a server streams them side by side. */
function called(calls: NonNullable<Speech['calls']>): readonly string[] {
  const opened = calls.map(({ name }, index) => {
    const part = { name, arguments: '' };
    return delta({
      tool_calls: [{ index, id: `call_${index}`, type: 'function', function: part }],
    });
  });
  const filled = [0, 1, 2].flatMap((piece) =>
    calls.map(({ args }, index) => {
      const part = { arguments: pieces(JSON.stringify(args))[piece] ?? '' };
      return delta({ tool_calls: [{ index, function: part }] });
    }),
  );
  return [...opened, ...filled];
}

function counted(usage: Speech['usage']): readonly string[] {
  if (usage === undefined) return [];
  const { input, output, cached } = usage;
  return [
    data({
      ...CHUNK,
      choices: [],
      usage: {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        prompt_tokens_details: { cached_tokens: cached },
      },
    } satisfies ChatCompletionChunk),
  ];
}
