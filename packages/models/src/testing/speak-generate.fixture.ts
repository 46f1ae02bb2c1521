import { type Speech, data } from './speech.fixture.ts';

/** `GenerateContentResponse` objects. */
export function speakGenerate(speech: Speech): string {
  const { reasoning = [], text = [], calls = [], usage, finish = 'done' } = speech;
  const stop = { done: 'STOP', limit: 'MAX_TOKENS', refusal: 'SAFETY' };
  const called = calls.map(({ name, args }, place) => ({
    functionCall: { name, args },
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
    }),
  ].join('');
}

function candidate(parts: readonly object[], fields: object = {}): object {
  return { candidates: [{ content: { role: 'model', parts }, index: 0, ...fields }] };
}

function counted({ input, output, cached }: NonNullable<Speech['usage']>): object {
  return {
    promptTokenCount: input,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - 1,
    thoughtsTokenCount: 1,
    totalTokenCount: input + output,
  };
}
