import { PalyraError, systemClock } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { ModelFlows } from './model-flows.ts';
import type { SaidEvent } from './model-port.ts';
import type { ModelDesk } from './ports.ts';

const { signal } = new AbortController();
const USAGE = { kind: 'usage', inputTokens: 9, outputTokens: 1, cachedTokens: 0 } as const;

function flows(changes: Partial<ModelDesk>): ModelFlows {
  const standing = {
    name: 'openai:a',
    provider: 'openai',
    api: 'chat',
    baseUrl: '',
    isDefault: true,
    isScript: false,
    isChoice: true,
    failoverRank: 0,
    breaker: 'closed',
    keySource: '',
    hasKey: false,
  } as const;
  const desk: ModelDesk = {
    list: () => [standing],
    offered: async () => ['a'],
    ask: () => says(),
    ...changes,
  };
  return new ModelFlows(desk, systemClock());
}

async function* says(...events: readonly SaidEvent[]): AsyncGenerator<SaidEvent> {
  yield* events;
}

async function* failsAfter(text: string): AsyncGenerator<SaidEvent> {
  yield { kind: 'text', text };
  throw new PalyraError('MODEL_FAILED', 'it broke off');
}

describe('a test of a model', () => {
  it('tells what it said, at most 500 characters, and what that cost', async () => {
    const long = { kind: 'text', text: 'x'.repeat(600) } as const;
    const asked = flows({ ask: () => says(long, long, USAGE) });
    expect(await asked.test('', signal)).toMatchObject({
      name: 'openai:a',
      text: 'x'.repeat(500),
      usage: USAGE,
      error: undefined,
    });
  });

  it('that fails is an answer, with what was said until then', async () => {
    const tested = await flows({ ask: () => failsAfter('rea') }).test('openai:a', signal);
    expect(tested).toMatchObject({ text: 'rea', error: { code: 'MODEL_FAILED' } });
  });

  it('of a model that nobody has configured is refused', async () => {
    const ask = () => {
      throw new PalyraError('NOT_FOUND', 'there is no model `b`');
    };
    await expect(flows({ ask }).test('b', signal)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('ends with the one who asked', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(flows({ ask: () => failsAfter('') }).test('', gone)).rejects.toThrow('gone');
  });

  it('is one of four at once', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    async function* waits(): AsyncGenerator<SaidEvent> {
      await promise;
      yield USAGE;
    }
    const busy = flows({ ask: waits });
    const four = [1, 2, 3, 4].map(() => busy.test('', signal));
    await expect(busy.test('', signal)).rejects.toMatchObject({ code: 'OVERLOADED' });
    resolve();
    await Promise.all(four);
    expect((await busy.test('', signal)).error).toBeUndefined();
  });
});

describe('what a provider offers', () => {
  it('is a list of names', async () => {
    expect(await flows({}).offered(signal)).toEqual({ names: ['a'], error: undefined });
  });

  it('may be that it does not say, and why', async () => {
    const offered = () => Promise.reject(new PalyraError('MODEL_FAILED', 'no'));
    expect(await flows({ offered }).offered(signal)).toMatchObject({
      names: [],
      error: { code: 'MODEL_FAILED' },
    });
  });
});
