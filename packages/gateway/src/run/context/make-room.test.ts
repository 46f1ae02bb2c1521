import { DecisionKind, type RunEvent, RunStatus } from '@palyra/protocol';
import { policyThatSays, rememberingSandbox, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelPort, Turn } from '../../ports.ts';
import { createGateway } from '../../gateway.ts';
import { runsSection } from '../../settings.ts';
import { ada, allowed, ask, say, through, words } from '../talk.fixture.ts';

/** A model that remembers what it was asked, and answers as it is told to. */
function tellingModel(answer: (turns: readonly Turn[], tools: number) => readonly ModelEvent[]) {
  const heard: (readonly Turn[])[] = [];
  const model: ModelPort = {
    name: 'telling',
    isScript: false,
    choose: () => ({ kind: 'chosen', name: 'telling' }),
    price: () => undefined,
    async *reply({ conversation, tools }) {
      heard.push([...conversation]);
      yield* answer(conversation, tools.length);
    },
  };
  return { model, heard };
}

const tools = {
  find: () => undefined,
  offered: () => [{ name: 'look', says: 'looks', schema: {} }],
};

describe('a conversation that grows too long', () => {
  const settings = { ...runsSection.parse({}), context_tokens: 6_000, max_repeats: 100 };
  const sandbox = () => rememberingSandbox(`result ${'x'.repeat(5_000)}`);

  function compactions(events: readonly RunEvent[]) {
    return events.flatMap(({ event }) => (event.case === 'runCompacted' ? [event.value] : []));
  }

  it('is told in short by the model, on record, and no turn is ever over the budget', async () => {
    const usage = { kind: 'usage', inputTokens: 1_000, outputTokens: 5, cachedTokens: 0 } as const;
    const { model, heard } = tellingModel((turns, offered) => {
      if (offered === 0) return [say('we looked often'), usage];
      const isDone = turns.some(({ text }) => text.includes('we looked often'));
      return isDone ? [say('done')] : [say('x'.repeat(900)), ask('look')];
    });
    await using test = await testGateway({
      model,
      settings,
      policy: allowed,
      catalogue: tools,
      sandbox: sandbox(),
    });
    const { events, sessionId } = await through(test, { prompt: 'look until you know' });
    const [told, ...others] = compactions(events);
    expect(others).toEqual([]);
    expect(told).toMatchObject({ summary: 'we looked often', usage: { inputTokens: 1_000n } });
    expect(Number(told?.tokensAfter)).toBeLessThan(Number(told?.tokensBefore));
    const last = heard.at(-1) ?? [];
    expect(last[0]?.text).toContain('\nwe looked often\n');
    expect(last[1]).toEqual({ role: 'user', text: 'look until you know' });
    for (const turns of heard) {
      const bytes = turns.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      expect(bytes / 3).toBeLessThan(6_000);
    }
    const before = heard.length;
    await through(test, { prompt: 'again', sessionId });
    expect(heard.length).toBe(before + 1);
    expect(heard.at(-1)?.[0]?.text).toContain('\nwe looked often\n');
    expect(words(heard.at(-1)).at(-1)).toBe('user: again');
  });

  it('is told word for word again as soon as a model is told enough at once', async () => {
    const { model, heard } = tellingModel((turns, offered) => {
      if (offered === 0) return [say('we looked often')];
      const isDone = turns.some(({ text }) => text.includes('we looked often'));
      return isDone || turns.at(-1)?.text === 'again' ? [say('done')] : [say('word'), ask('look')];
    });
    const parts = { model, policy: allowed, catalogue: tools, sandbox: sandbox() };
    await using test = await testGateway({ ...parts, settings });
    const { sessionId } = await through(test, { prompt: 'look until you know' });
    const wide = createGateway({
      ...test.parts,
      settings: { ...settings, context_tokens: 60_000 },
    });
    await through({ ...test, gateway: wide }, { prompt: 'again', sessionId });
    const [first, ...others] = words(heard.at(-1));
    expect(first).toBe('user: look until you know');
    expect(others.filter((said) => said === 'model: word').length).toBeGreaterThan(2);
    expect(others.join('\n')).not.toContain('we looked often');
    // It is in force again where there is no room.
    await through(test, { prompt: 'again', sessionId });
    expect(heard.at(-1)?.[0]?.text).toContain('\nwe looked often\n');
  });

  it('is told in short and as tainted as before, in later runs too', async () => {
    const { model } = tellingModel((turns, offered) => {
      if (offered === 0) return [say('we looked often')];
      const isLast = turns.at(-1)?.text === 'again';
      const isDone = turns.some(({ text }) => text.includes('we looked often'));
      return isDone && !isLast ? [say('done')] : [say('x'.repeat(900)), ask('look')];
    });
    const policy = policyThatSays({ kind: DecisionKind.ALLOW });
    await using test = await testGateway({
      model,
      settings,
      policy,
      catalogue: tools,
      sandbox: sandbox(),
    });
    const { events, sessionId } = await through(test, { prompt: 'look' });
    expect(compactions(events)).toMatchObject([{ taint: ['tool'] }]);
    expect([...(policy.judged[0]?.taint ?? [])]).toEqual([]);
    const before = policy.judged.length;
    await through(test, { prompt: 'again', sessionId });
    expect([...(policy.judged[before]?.taint ?? [])]).toEqual(['tool']);
  });

  it('loses its oldest part, and says so, when the model cannot tell it in short', async () => {
    const { model } = tellingModel((turns, offered) => {
      if (offered === 0) return [];
      const isDone = turns.some(({ text }) => text.includes('left out, because'));
      return isDone ? [say('done')] : [say('x'.repeat(900)), ask('look')];
    });
    await using test = await testGateway({
      model,
      settings,
      policy: allowed,
      catalogue: tools,
      sandbox: sandbox(),
    });
    const { events, runId } = await through(test, { prompt: 'look' });
    expect(compactions(events)).toMatchObject([
      { summary: expect.stringMatching(/^\(Then \d+ steps of this conversation are left out/) },
    ]);
    expect((await test.gateway.runs.get(runId, ada)).status).toBe(RunStatus.COMPLETED);
  });

  it('first says less of what tools returned long ago, and nothing is told in short', async () => {
    const { model, heard } = tellingModel((turns) => {
      const isDone = turns.some(({ text }) => text.includes('bytes more are left out'));
      return isDone ? [say('done')] : [ask('look')];
    });
    const wide = { ...settings, context_tokens: 12_000 };
    await using test = await testGateway({
      model,
      settings: wide,
      policy: allowed,
      catalogue: tools,
      sandbox: sandbox(),
    });
    const { events } = await through(test, { prompt: 'look' });
    expect(compactions(events)).toEqual([]);
    const shortened = (heard.at(-1) ?? []).filter(({ text }) => text.includes('left out here'));
    expect(shortened.length).toBeGreaterThan(0);
  });

  it('of which not even the prompt fits ends with the name of the limit', async () => {
    const { model } = tellingModel(() => [say('hello')]);
    await using test = await testGateway({ model, settings, catalogue: tools });
    const { runId } = await through(test, { prompt: 'x'.repeat(20_000) });
    const { status, error } = await test.gateway.runs.get(runId, ada);
    expect(status).toBe(RunStatus.FAILED);
    expect(error?.message).toContain('runs.context_tokens');
  });
});
