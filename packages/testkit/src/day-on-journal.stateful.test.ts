import { budgetsSection, createBudgets } from '@palyra/budgets';
import { type ModelEvent, type ModelPort, runsSection } from '@palyra/gateway';
import { DecisionKind, RunStatus, StopReason } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { policyThatSays, rememberingSandbox, talkingModel } from './fakes.ts';
import { quietLog } from './quiet-log.ts';
import { type TestGateway, testGateway } from './test-gateway.ts';
import { verifies } from './verifies.ts';
import {
  done,
  endOf,
  endOfNew,
  never,
  onOneJournal,
  onQuestion,
  owner,
  principal,
  read,
  who,
  write,
  yes,
} from './limits-ground.fixture.ts';

describe('the day of a principal', () => {
  const budgetsOf = (test: TestGateway, limits: object) =>
    createBudgets({
      records: test.journal.records,
      clock: test.parts.clock,
      settings: budgetsSection.parse(limits),
    });

  it(
    'lets exactly one of ten runs have the last of it, and tells the others',
    verifies('runs:last-of-a-day-once'),
    async () => {
      await using test = await testGateway({ model: talkingModel(done), log: quietLog() });
      const { runs } = onOneJournal(test, { budgets: budgetsOf(test, { day_runs: 1 }) });
      const started = await Promise.all(
        Array.from({ length: 10 }, () => runs.start({ prompt: 'go' }, owner)),
      );
      await Promise.all(started.map((run) => Array.fromAsync(run.events(never))));
      const ends = await Promise.all(started.map(({ runId }) => endOf(test, runId)));
      const reasons = ends.map(({ stopReason }) => stopReason);
      expect(reasons.filter((reason) => reason === StopReason.DONE)).toHaveLength(1);
      expect(reasons.filter((reason) => reason === StopReason.DAY)).toHaveLength(9);
      const late = ends.find(({ stopReason }) => stopReason === StopReason.DAY);
      expect(late?.error?.message).toContain('budgets.day_runs');
    },
  );

  it('counts what was spent, in all runs, and nothing stays held', async () => {
    const usage: ModelEvent = {
      kind: 'usage',
      inputTokens: 100,
      outputTokens: 11,
      cachedTokens: 0,
      costMicroUsd: 7,
    };
    const policy = policyThatSays({ kind: DecisionKind.ALLOW });
    const model = talkingModel([read('a'), usage], [...done, usage]);
    await using test = await testGateway({ model, policy });
    const started = await Promise.all(
      Array.from({ length: 5 }, () => test.gateway.runs.start({ prompt: 'go' }, owner)),
    );
    await Promise.all(started.map((run) => Array.fromAsync(run.events(never))));
    const day = await test.journal.records.get('day_budgets', principal);
    expect(day?.body).toMatchObject({
      spent: { runs: 5, modelTurns: 10, toolCalls: 5, tokens: '1110', costMicroUsd: '70' },
      held: {},
    });
    expect(await test.journal.records.count('budget_leases')).toBe(0);
  });

  it(
    'gets back what a crash left reserved, but for what the run came to',
    verifies('runs:last-of-a-day-once'),
    async () => {
      const policy = policyThatSays({ kind: DecisionKind.ALLOW });
      const model = talkingModel([read('a')]);
      await using test = await testGateway({ model, policy, log: quietLog() });
      const hangs = new Promise<never>(() => {});
      const inside = Promise.withResolvers<void>();
      const sandbox = {
        ...rememberingSandbox(),
        execute: async () => {
          inside.resolve();
          return await hangs;
        },
      };
      // As a daemon that is gone: nobody drives its run any more, and nothing was let go of.
      const run = await onOneJournal(test, { sandbox }).runs.start({ prompt: 'go' }, owner);
      await inside.promise;
      expect(await test.journal.records.count('budget_leases')).toBe(1);
      await test.gateway.runs.recover();
      expect((await test.gateway.runs.get(run.runId, owner)).status).toBe(RunStatus.INTERRUPTED);
      expect(await test.journal.records.count('budget_leases')).toBe(0);
      const day = await test.journal.records.get('day_budgets', principal);
      expect(day?.body).toMatchObject({ spent: { runs: 1, toolCalls: 1 }, held: {} });
    },
  );
});

describe('one principal in a day', () => {
  it('has so many turns of models, in all runs together', async () => {
    const policy = policyThatSays({ kind: DecisionKind.ALLOW });
    const model = talkingModel([read('a')], done, [read('b')], done);
    const day = { day_turns: 3 };
    await using test = await testGateway({ model, policy, day, log: quietLog() });
    const { runs } = test.gateway;
    expect((await endOfNew(test, runs)).stopReason).toBe(StopReason.DONE);
    const second = await endOfNew(test, runs);
    expect(second).toMatchObject({ stopReason: StopReason.DAY, spent: { modelTurns: 1 } });
    expect(second.error?.message).toBe('`budgets.day_turns` (3) is used up for today');
  });

  it('can be asked so many questions, in all runs together', async () => {
    const model = talkingModel([write('a')], done, [write('b')]);
    const day = { day_approvals: 1 };
    await using test = await testGateway({ rules: 'ask', model, day, log: quietLog() });
    const { approvals, runs } = onOneJournal(test);
    const answers: Promise<unknown>[] = [];
    using _watch = onQuestion(approvals, (id, fingerprint) => {
      answers.push(approvals.answer(yes(id, fingerprint), who));
    });
    expect((await endOfNew(test, runs)).stopReason).toBe(StopReason.DONE);
    const second = await endOfNew(test, runs);
    expect(second).toMatchObject({ stopReason: StopReason.DAY, spent: { approvals: 0 } });
    expect(second.error?.message).toBe('`budgets.day_approvals` (1) is used up for today');
    await Promise.all(answers);
    expect(answers).toHaveLength(1);
  });

  it('has so much time to work, and what is under way then is ended', async () => {
    const policy = policyThatSays({ kind: DecisionKind.ALLOW });
    const model = talkingModel([read('a')]);
    const sandbox = {
      ...rememberingSandbox(),
      execute: async (_call: unknown, signal: AbortSignal) => {
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
        throw new TypeError('nobody ended it');
      },
    };
    const day = { day_wall_ms: 1_200 };
    await using test = await testGateway({ model, policy, day, sandbox, log: quietLog() });
    const end = await endOfNew(test, test.gateway.runs);
    expect(end.stopReason).toBe(StopReason.DAY);
    expect(end.error?.message).toContain('`budgets.day_wall_ms` (1200)');
    const body = (await test.journal.records.get('day_budgets', principal))?.body;
    expect(Number(Object(body?.['spent'])['wallMs'])).toBeGreaterThanOrEqual(1_000);
  });

  it('counts a turn that was asked for when the gateway was killed, each time', async () => {
    const settings = { ...runsSection.parse({}), max_turns: 2 };
    await using test = await testGateway({ settings, log: quietLog() });
    const hangs = new Promise<never>(() => {});
    let asked = 0;
    // As a daemon that is gone: its model never answers, and nobody drives its run any more.
    const killed = () => {
      const inside = Promise.withResolvers<void>();
      const model: ModelPort = {
        ...talkingModel(),
        async *reply() {
          asked += 1;
          inside.resolve();
          yield await hangs;
        },
      };
      return { runs: onOneJournal(test, { model }).runs, inside: inside.promise };
    };
    const first = killed();
    const { runId } = await first.runs.start({ prompt: 'go' }, owner);
    await first.inside;
    await test.gateway.runs.recover();
    const second = killed();
    await second.runs.resume(runId, owner);
    await second.inside;
    await test.gateway.runs.recover();
    const third = killed();
    const resumed = await third.runs.resume(runId, owner);
    await Array.fromAsync(resumed.events(never));
    expect(asked).toBe(2);
    expect(await endOf(test, runId)).toMatchObject({
      stopReason: StopReason.MODEL_TURNS,
      spent: { modelTurns: 2 },
    });
    const day = await test.journal.records.get('day_budgets', principal);
    expect(day?.body).toMatchObject({ spent: { runs: 1, modelTurns: 2 }, held: {} });
  });
});
