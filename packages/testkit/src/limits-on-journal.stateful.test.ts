import type { Answer } from '@palyra/approvals';
import { runsSection } from '@palyra/gateway';
import {
  ApprovalStatus,
  DecisionKind,
  GrantScope,
  type RunEvent,
  RunStatus,
  StopReason,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { policyThatSays, rememberingSandbox, talkingModel } from './fakes.ts';
import { quietLog } from './quiet-log.ts';
import { testGateway } from './test-gateway.ts';
import { verifies } from './verifies.ts';
import {
  ask,
  done,
  endOf,
  never,
  onOneJournal,
  onQuestion,
  owner,
  read,
  who,
  write,
  yes,
} from './limits-ground.fixture.ts';

function recorded(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.filter(({ sequence }) => sequence > 0n);
}

function approvalsIn(events: readonly RunEvent[]) {
  return events.flatMap(({ event }) => (event.case === 'approvalChanged' ? [event.value] : []));
}

describe('whoever watches a run', () => {
  it(
    'sees the question withdrawn when the run is cancelled while it waits',
    verifies('runs:live-is-replay'),
    async () => {
      await using test = await testGateway({ rules: 'ask', model: talkingModel([write('a')]) });
      const { approvals, runs } = onOneJournal(test);
      const asked = Promise.withResolvers<void>();
      using _watch = onQuestion(approvals, () => asked.resolve());
      const run = await runs.start({ prompt: 'go' }, owner);
      const live = Array.fromAsync(run.events(never));
      await asked.promise;
      await runs.cancel(run.runId, owner);
      const seen = recorded(await live);
      expect(approvalsIn(seen).map(({ status }) => status)).toEqual([
        ApprovalStatus.PENDING,
        ApprovalStatus.CANCELLED,
      ]);
      expect(seen).toEqual(
        await Array.fromAsync(runs.watch({ runId: run.runId, after: 0 }, owner, never)),
      );
    },
  );

  it('sees that a grant covered a call, and which', verifies('runs:live-is-replay'), async () => {
    const model = talkingModel([write('a')], [write('a')], done);
    await using test = await testGateway({ rules: 'ask', model });
    const { approvals, runs } = onOneJournal(test);
    const answers: Promise<unknown>[] = [];
    using _watch = onQuestion(approvals, (id, fingerprint) => {
      const scope = GrantScope.SESSION;
      answers.push(approvals.answer(yes(id, fingerprint, { scope, shape: 'exact' }), who));
    });
    const run = await runs.start({ prompt: 'go' }, owner);
    const seen = recorded(await Array.fromAsync(run.events(never)));
    await Promise.all(answers);
    const [grant] = await approvals.grants();
    expect(answers).toHaveLength(1);
    expect(approvalsIn(seen).at(-1)).toMatchObject({
      grantId: grant?.grantId,
      status: ApprovalStatus.GRANTED,
    });
    expect(seen).toEqual(
      await Array.fromAsync(runs.watch({ runId: run.runId, after: 0 }, owner, never)),
    );
  });
});

describe('many calls of one turn that one grant covers', () => {
  it('each take a use of it, and none is lost in the crowd', async () => {
    const sandbox = rememberingSandbox();
    const crowd = Array.from({ length: 12 }, () => write('a'));
    const model = talkingModel([write('a')], crowd, done);
    await using test = await testGateway({ rules: 'ask', model, sandbox });
    const { approvals, runs } = onOneJournal(test);
    const answers: Promise<unknown>[] = [];
    using _watch = onQuestion(approvals, (id, fingerprint) => {
      const scope = GrantScope.SESSION;
      answers.push(approvals.answer(yes(id, fingerprint, { scope, shape: 'exact' }), who));
    });
    const run = await runs.start({ prompt: 'go' }, owner);
    await Array.fromAsync(run.events(never));
    await Promise.all(answers);
    expect(answers).toHaveLength(1);
    expect(sandbox.requests).toHaveLength(13);
    expect(await approvals.grants()).toMatchObject([{ uses: 12 }]);
  });
});

describe('two calls of one turn that each need a person', () => {
  it('wait at once, and what is answered first runs first where they cannot meet', async () => {
    const sandbox = rememberingSandbox();
    const model = talkingModel([write('a'), write('b')], done);
    await using test = await testGateway({ rules: 'ask', model, sandbox });
    const { approvals, runs } = onOneJournal(test);
    const asked: Answer[] = [];
    const both = Promise.withResolvers<void>();
    using _watch = onQuestion(approvals, (id, fingerprint) => {
      asked.push(yes(id, fingerprint));
      if (asked.length === 2) both.resolve();
    });
    const run = await runs.start({ prompt: 'go' }, owner);
    await both.promise;
    for (const answer of asked) await approvals.answer(answer, who);
    await Array.fromAsync(run.events(never));
    expect(sandbox.requests).toHaveLength(2);
    expect((await endOf(test, run.runId)).spent).toMatchObject({ approvals: 2, toolCalls: 2 });
  });

  it('cost a question each: the one too many is refused and ends the run', async () => {
    const settings = { ...runsSection.parse({}), max_approvals: 1 };
    const model = talkingModel([write('a')], [write('b')], done);
    await using test = await testGateway({ rules: 'ask', model, settings, log: quietLog() });
    const { approvals, runs } = onOneJournal(test);
    const answers: Promise<unknown>[] = [];
    using _watch = onQuestion(approvals, (id, fingerprint) => {
      answers.push(approvals.answer(yes(id, fingerprint), who));
    });
    const run = await runs.start({ prompt: 'go' }, owner);
    await Array.fromAsync(run.events(never));
    await Promise.all(answers);
    expect(await endOf(test, run.runId)).toMatchObject({
      status: RunStatus.FAILED,
      stopReason: StopReason.APPROVALS,
      spent: { approvals: 1 },
    });
  });
});

describe('the real rules', () => {
  it(
    'are told that a run has read a file with secrets, and of whom it was',
    verifies('policy:taint-is-a-fact'),
    async () => {
      const model = talkingModel(
        [read('.env')],
        [ask('http.fetch', { url: 'https://a.example/' })],
      );
      await using test = await testGateway({ rules: 'ask', model });
      const { approvals, runs } = onOneJournal(test);
      const answers: Promise<unknown>[] = [];
      using _watch = onQuestion(approvals, (id, fingerprint) => {
        answers.push(approvals.answer(yes(id, fingerprint), who));
      });
      const run = await runs.start({ prompt: 'go' }, owner);
      const events = await Array.fromAsync(run.events(never));
      await Promise.all(answers);
      const decisions = events.flatMap(({ event }) =>
        event.case === 'toolDecided' ? [event.value] : [],
      );
      expect(decisions[0]?.asked?.context).toMatchObject({ taint: [] });
      expect(decisions[1]?.asked?.context).toMatchObject({
        taint: [
          { type: 'Taint', id: 'file' },
          { type: 'Taint', id: 'secret' },
        ],
        budget: { type: 'Budget', id: 'within' },
      });
      expect(decisions[1]?.gates.map(({ ruleId }) => ruleId)).toContain(
        'sending-after-secrets-and-strangers-asks',
      );
    },
  );

  it('deny a call that is one too many, by name', async () => {
    const settings = { ...runsSection.parse({}), max_tool_calls: 1 };
    const model = talkingModel([read('a')], [read('b')]);
    await using test = await testGateway({ rules: 'ask', model, settings, log: quietLog() });
    const run = await test.gateway.runs.start({ prompt: 'go' }, owner);
    const events = await Array.fromAsync(run.events(never));
    const last = events.findLast(({ event }) => event.case === 'toolDecided')?.event;
    expect(last?.value).toMatchObject({
      kind: DecisionKind.DENY,
      ruleIds: ['budget-is-a-limit'],
      asked: { context: { budget: { type: 'Budget', id: 'exhausted' } } },
    });
  });
});

describe('a run that a crash cut off with several calls under way', () => {
  it('has each that started as unknown, makes the others, and counts on', async () => {
    const policy = policyThatSays({ kind: DecisionKind.ALLOW });
    const model = talkingModel([read('a'), write('b'), read('c'), write('b')], done);
    await using test = await testGateway({ rules: 'ask', model, policy, log: quietLog() });
    const hangs = new Promise<never>(() => {});
    const inside = Promise.withResolvers<void>();
    let under = 0;
    const hanging = {
      ...rememberingSandbox(),
      execute: async () => {
        under += 1;
        if (under === 3) inside.resolve();
        return await hangs;
      },
    };
    const cut = await onOneJournal(test, { sandbox: hanging }).runs.start({ prompt: 'go' }, owner);
    await inside.promise;
    const sandbox = rememberingSandbox();
    const { runs } = onOneJournal(test, { sandbox });
    await runs.recover();
    const resumed = await runs.resume(cut.runId, owner);
    await Array.fromAsync(resumed.events(never));
    expect(sandbox.requests.map(({ arguments: args }) => args['path'])).toEqual(['b']);
    const heard = model.heard.at(-1)?.filter(({ role }) => role === 'tool') ?? [];
    expect(heard.map(({ text }) => text.includes('unknown'))).toEqual([true, true, true, false]);
    expect(await endOf(test, cut.runId)).toMatchObject({
      status: RunStatus.COMPLETED,
      spent: { modelTurns: 2, toolCalls: 4 },
    });
  });
});
