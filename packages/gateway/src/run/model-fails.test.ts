import { PalyraError, type RunId, type SealedEntry, systemClock } from '@palyra/kernel';
import { type RunEvent, RunStatus, StopReason } from '@palyra/protocol';
import {
  type TestGateway,
  rememberingSandbox,
  talkingModel,
  tempHome,
  testGateway,
} from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { AskedAgain, ModelEvent, ModelPort, Turn } from '../ports.ts';
import { runsSection } from '../settings.ts';
import { ada, allowed, ask, never, say, through, words } from './talk.fixture.ts';

const again: AskedAgain = {
  kind: 'asked-again',
  model: 'talking',
  waitMs: 2_000,
  why: 'the connection broke',
};
const usage = { kind: 'usage', inputTokens: 100, outputTokens: 10, cachedTokens: 0 } as const;
const gone = new PalyraError('MODEL_FAILED', 'the model is gone');

/** Fails at the end of each of these turns, in the order in which it is asked; otherwise it is well. */
function failingModel(
  broken: readonly (readonly ModelEvent[] | undefined)[],
  well: ModelPort,
): ModelPort {
  let asked = 0;
  return {
    ...well,
    async *reply(request, signal) {
      const turn = broken[asked];
      asked += 1;
      if (turn === undefined) return yield* well.reply(request, signal);
      yield* turn;
      throw gone;
    },
  };
}

async function entriesOf({ journal }: TestGateway, runId: RunId): Promise<readonly SealedEntry[]> {
  return await journal.page({ after: 0, limit: 256, runId });
}

function messages(events: readonly RunEvent[]) {
  return events.flatMap(({ event }) => (event.case === 'modelMessage' ? [event.value] : []));
}

describe('an answer that breaks off and is asked for anew', () => {
  const script = [
    [say('let me'), usage, again, say('I look'), ask('a.tool')],
    [say('it is blue')],
  ] as const;

  it('is on record as far as it came, and its calls are made once', async () => {
    const sandbox = rememberingSandbox();
    await using test = await testGateway({
      model: talkingModel(...script),
      policy: allowed,
      sandbox,
    });
    const { events } = await through(test, { prompt: 'what colour is it?' });
    expect(messages(events)).toMatchObject([
      { text: 'let me', isPartial: true, toolCalls: [], usage: { inputTokens: 100n } },
      { text: 'I look', isPartial: false, toolCalls: [{ tool: 'a.tool' }] },
      { text: 'it is blue', isPartial: false },
    ]);
    expect(sandbox.requests).toHaveLength(1);
    expect(events.at(-1)?.event.value).toMatchObject({
      status: RunStatus.COMPLETED,
      spent: { modelTurns: 3, tokens: 110n },
    });
  });

  it('is told to whoever watches, after what came of it and before it starts over', async () => {
    await using test = await testGateway({ model: talkingModel(...script), policy: allowed });
    const { events } = await through(test, { prompt: 'what colour is it?' });
    const told = events.map(({ event }) => event.case).filter((name) => name !== 'textDelta');
    expect(told.slice(0, 4)).toEqual([
      'runStarted',
      'modelMessage',
      'modelAskedAgain',
      'modelMessage',
    ]);
    const notice = events.find(({ event }) => event.case === 'modelAskedAgain');
    expect(notice).toMatchObject({
      sequence: 0n,
      event: { value: { model: 'talking', waitMs: 2_000n, reason: 'the connection broke' } },
    });
  });

  it('names who answered where that is not the model of the run', async () => {
    const other = { ...again, model: 'another' };
    const model = {
      ...talkingModel(
        [say('half'), usage, other, say('I look'), usage, ask('a.tool')],
        [again, say('it is blue'), usage],
      ),
      isScript: false,
    };
    await using test = await testGateway({ model, policy: allowed });
    const { events } = await through(test, { prompt: 'what colour is it?' });
    expect(messages(events).map((message) => [message.text, message.usage?.model])).toEqual([
      ['half', ''],
      ['I look', 'another'],
      ['it is blue', ''],
    ]);
  });

  it('makes no call that it said before it was void', async () => {
    const sandbox = rememberingSandbox();
    const model = talkingModel([ask('a.tool'), again, say('nothing to do')]);
    await using test = await testGateway({ model, policy: allowed, sandbox });
    await through(test, { prompt: 'go' });
    expect(sandbox.requests).toEqual([]);
  });

  it('is told to the next run of the session as it came out', async () => {
    const model = talkingModel([say('half'), again, say('whole')]);
    await using test = await testGateway({ model });
    const { sessionId } = await through(test, { prompt: 'one' });
    await through(test, { prompt: 'two', sessionId });
    expect(words(model.heard.at(-1))).toEqual(['user: one', 'model: whole', 'user: two']);
  });

  it('stops when its budget is used up by what broke off', async () => {
    const used = { ...usage, inputTokens: 19_000 };
    const model = talkingModel([say('half'), used, again, say('whole')]);
    const settings = runsSection.parse({ max_tokens: 20_000 });
    await using test = await testGateway({ model, settings });
    const { events } = await through(test, { prompt: 'go' });
    expect(messages(events).map(({ text }) => text)).toEqual(['half']);
    expect(events.at(-1)?.event.value).toMatchObject({ stopReason: StopReason.TOKENS });
  });
});

describe('a watcher who comes while a model is left alone', () => {
  it('is told why nothing is to be heard, and no longer once it speaks', async () => {
    const waiting = Promise.withResolvers<void>();
    const model: ModelPort = {
      ...talkingModel(),
      async *reply() {
        yield again;
        await waiting.promise;
        yield say('here I am');
      },
    };
    await using test = await testGateway({ model });
    const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
    const seen = async (name: RunEvent['event']['case']) => {
      const watched = test.gateway.runs.watch({ runId: run.runId, after: 0 }, ada, never);
      for await (const { event } of watched) if (event.case === name) return true;
      return false;
    };
    expect(await seen('modelAskedAgain')).toBe(true);
    expect(await seen('modelAskedAgain')).toBe(true);
    waiting.resolve();
    await Array.fromAsync(run.events(never));
    expect(await seen('modelAskedAgain')).toBe(false);
  });
});

describe('a run whose model failed', () => {
  it('is taken up where it stopped, and makes no call again', async () => {
    const sandbox = rememberingSandbox();
    const well = talkingModel([say('I look'), ask('a.tool')], [say('it is blue')]);
    const model = failingModel([undefined, [say('it')]], well);
    await using test = await testGateway({ model, policy: allowed, sandbox });
    const { runId, events } = await through(test, { prompt: 'what colour is it?' });
    expect(events.at(-1)?.event.value).toMatchObject({ status: RunStatus.FAILED });
    const resumed = await test.gateway.runs.resume(runId, ada);
    const rest = await Array.fromAsync(resumed.events(never));
    expect(rest.at(-1)?.event.value).toMatchObject({ status: RunStatus.COMPLETED });
    expect(messages(rest).at(-1)?.text).toBe('it is blue');
    expect(sandbox.requests).toHaveLength(1);
    const run = await test.gateway.runs.get(runId, ada);
    expect(run).toMatchObject({ status: RunStatus.COMPLETED, stopReason: StopReason.DONE });
    expect(run.error).toBeUndefined();
  });

  it('may fail again and be taken up again', async () => {
    const model = failingModel([[], [say('al')]], talkingModel([say('all is well')]));
    await using test = await testGateway({ model });
    const { runId } = await through(test, { prompt: 'go' });
    for (let time = 0; time < 2; time += 1) {
      const resumed = await test.gateway.runs.resume(runId, ada);
      await Array.fromAsync(resumed.events(never));
    }
    expect((await test.gateway.runs.get(runId, ada)).status).toBe(RunStatus.COMPLETED);
  });

  it('says that it goes on while it does, and what it spent before still counts', async () => {
    const well = talkingModel([say('all is well'), usage]);
    const model = failingModel([[say('a'), usage]], well);
    await using test = await testGateway({ model });
    const { runId } = await through(test, { prompt: 'go' });
    const resumed = await test.gateway.runs.resume(runId, ada);
    const events = await Array.fromAsync(resumed.events(never));
    expect(events.at(-1)?.event.value).toMatchObject({ spent: { modelTurns: 2, tokens: 220n } });
  });
});

describe('a turn that came to nothing but an error', () => {
  const free = { kind: 'nothing-used' } as const;
  const paid = { ...talkingModel(), isScript: false, price: () => 1_000 };
  const spentOn = async (...heard: readonly ModelEvent[]) => {
    await using test = await testGateway({ model: failingModel([heard], paid) });
    const { events } = await through(test, { prompt: 'go' });
    const [end] = events.flatMap(({ event }) => (event.case === 'runEnded' ? [event.value] : []));
    return end?.spent;
  };

  it('counts as a turn and takes nothing', async () => {
    const spent = await spentOn(free);
    expect(spent).toMatchObject({ modelTurns: 1, tokens: 0n });
    expect(spent?.costMicroUsd).toBeUndefined();
    const none = { ...usage, inputTokens: 0, outputTokens: 0 };
    expect(await spentOn(none, free)).toMatchObject({ modelTurns: 1, tokens: 0n });
  });

  it.each<[string, readonly ModelEvent[]]>([
    ['where it is not known whether anybody worked on it', []],
    ['after a word', [say('so')]],
    ['when the next attempt fell silent', [free, again]],
    ['when an attempt before it fell silent', [again, free]],
    ['after pieces of a call', [{ kind: 'lost', bytes: 3_000 }, again, free]],
  ])('takes what was sent and heard %s', async (_when, heard) => {
    const spent = await spentOn(...heard);
    expect(Number(spent?.tokens)).toBeGreaterThan(100);
    expect(spent?.costMicroUsd).toBe(1_000n);
  });
});

describe('what is spoken', () => {
  /** Six seconds go by between two looks at it. */
  function slowClock() {
    let nowMs = Date.UTC(2030, 0, 1);
    return { ...systemClock(), now: () => new Date((nowMs += 6_000)) };
  }

  function speaking(...pieces: readonly string[]): ModelPort & { readonly said: Promise<void> } {
    const said = Promise.withResolvers<void>();
    return {
      ...talkingModel(),
      said: said.promise,
      async *reply(_request, signal) {
        for (const piece of pieces) yield say(piece);
        said.resolve();
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      },
    };
  }

  /** The entries of a run as a kill leaves them. */
  async function killedWhileSpeaking(...pieces: readonly string[]) {
    const model = speaking(...pieces);
    await using test = await testGateway({ model, clock: slowClock() });
    const { runId } = await test.gateway.runs.start({ prompt: 'a tale' }, ada);
    await model.said;
    return { runId, entries: await entriesOf(test, runId) };
  }

  it('for long is safe from a crash: it is on record as an answer that broke off', async () => {
    const { runId, entries } = await killedWhileSpeaking('once ', 'upon ', 'a time');
    expect(entries.map(({ kind }) => kind).slice(0, 3)).toEqual([
      'run.started',
      'model.spoken',
      'model.spoken',
    ]);
    await using home = await tempHome();
    const model = talkingModel([say('the end')]);
    await using test = await testGateway({ home, model });
    for (const { kind, actor, payload, sessionId } of entries) {
      const of = sessionId === undefined ? {} : { sessionId };
      await test.journal.append([{ kind, actor, payload, runId, ...of }]);
    }
    await test.gateway.runs.recover();
    await test.gateway.runs.recover();
    const [message, ...more] = (await entriesOf(test, runId)).slice(entries.length);
    expect(message).toMatchObject({
      kind: 'model.message',
      payload: { text: 'once upon a time', isPartial: true },
    });
    expect(more.map(({ kind }) => kind)).toEqual(['run.interrupted']);
  });

  it('in one breath takes no entry of its own', async () => {
    await using test = await testGateway({ model: talkingModel([say('a'), say('b')]) });
    const { runId } = await through(test, { prompt: 'go' });
    expect((await entriesOf(test, runId)).map(({ kind }) => kind)).not.toContain('model.spoken');
  });

  it('and then completed is one message to a watcher who comes later, and to the next run', async () => {
    const model = talkingModel([say('once '), say('upon '), say('a time')]);
    await using test = await testGateway({ model, clock: slowClock() });
    const { sessionId } = await through(test, { prompt: 'a tale' });
    await through(test, { prompt: 'more', sessionId });
    const heard: readonly Turn[] | undefined = model.heard.at(-1);
    expect(words(heard)).toEqual(['user: a tale', 'model: once upon a time', 'user: more']);
  });
});
