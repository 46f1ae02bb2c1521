import type {
  Candidate,
  FinishReason,
  GenerateContentResponse,
  GenerateContentResponseUsageMetadata,
  Part,
} from '@google/genai';
import { type Speech, data } from './speech.fixture.ts';

/** As they are on the wire: the client adds methods to them and has an enum for the reason. */
type Response = Omit<
  Pick<GenerateContentResponse, 'candidates' | 'usageMetadata' | 'modelVersion'>,
  'candidates'
> & {
  readonly candidates: (Omit<Candidate, 'finishReason'> & {
    readonly finishReason?: `${FinishReason}`;
  })[];
};

/** `GenerateContentResponse` objects. */
export function speakGenerate(speech: Speech): string {
  const { reasoning = [], text = [], calls = [], usage, finish = 'done' } = speech;
  const stop = { done: 'STOP', limit: 'MAX_TOKENS', refusal: 'SAFETY' } as const;
  const called = calls.map(({ name, args }, place) => ({
    functionCall: { name, args: { ...args } },
    ...(place === 0 ? { thoughtSignature: 'c2ln' } : {}),
  }));
  return [
    ...reasoning.map((each) => data(candidate([{ text: each, thought: true }]))),
    ...text.map((each) => data(candidate([{ text: each }]))),
    ...(called.length === 0 ? [] : [data(candidate(called))]),
    data({
      ...candidate([{ text: '' }], { finishReason: stop[finish] }),
      ...(usage === undefined ? {} : { usageMetadata: counted(usage) }),
      modelVersion: 'test-model',
    } satisfies Response),
  ].join('');
}

function candidate(
  parts: Part[],
  fields: { readonly finishReason?: `${FinishReason}` } = {},
): Response {
  return { candidates: [{ content: { role: 'model', parts }, index: 0, ...fields }] };
}

function counted({
  input,
  output,
  cached,
}: NonNullable<Speech['usage']>): GenerateContentResponseUsageMetadata {
  return {
    promptTokenCount: input,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - 1,
    thoughtsTokenCount: 1,
    totalTokenCount: input + output,
  };
}
