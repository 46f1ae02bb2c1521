import type { JournalKind, JsonObject } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import type { ModelPort } from '../../ports.ts';
import { withCutOffTurn } from './cut-off-turn.ts';
import { NOTHING_SPENT, spendingOf } from './spending.ts';

const time = '2030-01-02T03:04:05.678Z';
const entry = (kind: JournalKind, payload: JsonObject = {}) => ({ kind, payload, time });
const started = entry('run.started', { prompt: 'a'.repeat(300), model: 'dear' });
const model: Pick<ModelPort, 'price'> = {
  price: ({ inputTokens, outputTokens, model: name }) =>
    name === 'dear' ? inputTokens * 2.5 + outputTokens : undefined,
};
const usage = { inputTokens: '900', outputTokens: '100', costMicroUsd: '50' };
const calling = entry('model.message', {
  usage,
  toolCalls: [{ callId: 'A' }, { callId: 'B' }],
});
const finished = (callId: string) => entry('tool.finished', { callId });

function counted(...entries: ReturnType<typeof entry>[]) {
  const { modelTurns, tokens, costMicroUsd } = withCutOffTurn(spendingOf(entries), entries, model);
  return { modelTurns, tokens, costMicroUsd };
}

describe('a turn that a crash cut off', () => {
  it('counts when nothing but the model could come next', () => {
    expect(counted(started)).toEqual({ modelTurns: 1, tokens: 100, costMicroUsd: 250 });
    const free = entry('run.started', { prompt: 'a'.repeat(300) });
    expect(counted(free)).toEqual({ modelTurns: 1, tokens: 100, costMicroUsd: undefined });
    expect(counted(started, calling, finished('A'), finished('B'))).toEqual({
      modelTurns: 2,
      tokens: 2_000,
      costMicroUsd: 100,
    });
  });

  it('counts each time that a run is resumed and cut off again', () => {
    const interrupted = entry('run.interrupted', { spent: { modelTurns: 1, tokens: '100' } });
    expect(counted(started, interrupted, entry('run.resumed'))).toMatchObject({ modelTurns: 2 });
  });

  it('does not count while calls were open, after the last words, or where it is on record', () => {
    expect(counted(started, calling, finished('A')).modelTurns).toBe(1);
    expect(
      counted(started, calling, entry('run.interrupted'), entry('run.resumed')).modelTurns,
    ).toBe(1);
    expect(counted(started, entry('model.message', { text: 'done' })).modelTurns).toBe(1);
    expect(
      counted(started, entry('model.message', { text: 'do', isPartial: true })).modelTurns,
    ).toBe(1);
    expect(withCutOffTurn(NOTHING_SPENT, [entry('run.queued', { prompt: 'x' })], model)).toBe(
      NOTHING_SPENT,
    );
  });
});
