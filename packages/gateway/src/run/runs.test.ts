import { type RunId, permissionsOf } from '@palyra/kernel';
import {
  Executor,
  PrincipalKind,
  Role,
  type RunEvent,
  RunStatus,
  ToolOutcome,
} from '@palyra/protocol';
import {
  endlessModel,
  ownerCaller,
  policyThatSays,
  quietLog,
  rememberingSandbox,
  talkingModel,
  tempHome,
  testGateway,
  verifies,
} from '@palyra/testkit';
import { DecisionKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { createGateway } from '../gateway.ts';
import type { GatewayParts } from '../parts.ts';
import { runsSection } from '../settings.ts';

const ada = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  actor: 'user:ada via device:laptop',
  channel: 'cli',
  deviceId: 'laptop',
} as const;
const never = new AbortController().signal;
const say = (text: string) => ({ kind: 'text', text }) as const;
const ask = (tool: string) => ({ kind: 'tool-call', tool, argumentsJson: '{}' }) as const;

async function take(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  return await Array.fromAsync(events);
}

function cases(events: readonly RunEvent[]): readonly (string | undefined)[] {
  return events.map(({ event }) => event.case);
}

async function firstWord(events: AsyncIterable<RunEvent>): Promise<void> {
  for await (const { event } of events) if (event.case === 'textDelta') return;
}

describe('a run', () => {
  it('streams text as it comes, then each call, and ends completed', async () => {
    const model = talkingModel([say('a '), say('b'), ask('fs.read')], [say('c')]);
    await using test = await testGateway({ model });
    const run = await test.gateway.runs.start({ prompt: 'hello' }, ada);
    const events = await take(run.events(never));
    expect(cases(events).filter((name) => name !== 'textDelta')).toEqual([
      'runStarted',
      'modelMessage',
      'toolProposed',
      'toolDecided',
      'toolFinished',
      'toolAttested',
      'modelMessage',
      'runEnded',
    ]);
    expect((await test.gateway.runs.get(run.runId, ada)).status).toBe(RunStatus.COMPLETED);
  });

  it('is on record as who started it, and through what; its rights are those of the person', async () => {
    await using test = await testGateway({ model: talkingModel([say('hello')]) });
    const run = await test.gateway.runs.start({ prompt: 'hello' }, ada);
    await take(run.events(never));
    const [first] = await test.journal.page({ after: 0, limit: 1, runId: run.runId });
    expect(first).toMatchObject({ kind: 'run.started', actor: 'user:ada via device:laptop' });
    expect((await test.gateway.runs.get(run.runId, ada)).principal).toBe('user:ada');
  });

  it('tells the model why a call was refused', async () => {
    const model = talkingModel([ask('fs.read')], [say('I see')]);
    await using test = await testGateway({ model });
    const run = await test.gateway.runs.start({ prompt: 'read it' }, ada);
    await take(run.events(never));
    const heard = model.heard.at(-1)?.at(-1);
    expect(heard).toMatchObject({ role: 'tool', text: expect.stringContaining('refused') });
  });

  it('shows a watcher who comes late, or again, exactly what was missed', async () => {
    const model = talkingModel([say('a'), ask('x')], [say('b')]);
    await using test = await testGateway({ model });
    const run = await test.gateway.runs.start({ prompt: 'hello' }, ada);
    const live = await take(run.events(never));
    const journaled = live.filter(({ sequence }) => sequence > 0n);
    const replay = await take(test.gateway.runs.watch({ runId: run.runId, after: 0 }, ada, never));
    expect(replay).toEqual(journaled);
    const rest = await take(
      test.gateway.runs.watch(
        { runId: run.runId, after: Number(journaled[2]?.sequence) },
        ada,
        never,
      ),
    );
    expect(rest).toEqual(journaled.slice(3));
  });

  it('gives a watcher who comes in the middle of a sentence the words before', async () => {
    await using test = await testGateway({ model: endlessModel('once upon') });
    const run = await test.gateway.runs.start({ prompt: 'a tale' }, ada);
    await firstWord(run.events(never));
    for await (const { event } of test.gateway.runs.watch(
      { runId: run.runId, after: 0 },
      ada,
      never,
    )) {
      if (event.case !== 'textDelta') continue;
      expect(event.value.text).toBe('once upon');
      break;
    }
  });

  it('cuts off a watcher that falls behind, and the run goes on', async () => {
    const thought = { kind: 'reasoning', text: 'hm' } as const;
    // Words that follow one another are told together to whoever is slow; these do not.
    const words = Array.from({ length: 40 }, (_, place) => [say(`${place} `), thought]).flat();
    const settings = { ...runsSection.parse({}), watch_buffer: 16 };
    await using test = await testGateway({ model: talkingModel(words), settings });
    const run = await test.gateway.runs.start({ prompt: 'count' }, ada);
    const watcher = run.events(never)[Symbol.asyncIterator]();
    await watcher.next();
    await test.gateway.runs.drain(10_000);
    await expect(Array.fromAsync({ [Symbol.asyncIterator]: () => watcher })).rejects.toMatchObject({
      code: 'OVERLOADED',
    });
    expect((await test.gateway.runs.get(run.runId, ada)).status).toBe(RunStatus.COMPLETED);
  });

  it.each(['', '  \n', '\ud800', 'x'.repeat(300_000)])('refuses the prompt %#', async (prompt) => {
    await using test = await testGateway();
    await expect(test.gateway.runs.start({ prompt }, ada)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(test.journal.tip().sequence).toBe(0);
  });
});

describe('a session', () => {
  it(
    'has one active run, and is free again as soon as that has ended',
    verifies('runs:one-per-session'),
    async () => {
      await using test = await testGateway({ model: endlessModel('…') });
      const { runs } = test.gateway;
      const first = await runs.start({ prompt: 'one' }, ada);
      const { sessionId } = first;
      const attempts = await Promise.allSettled(
        Array.from({ length: 10 }, () => runs.start({ prompt: 'two', sessionId }, ada)),
      );
      for (const attempt of attempts) {
        expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'SESSION_BUSY' } });
      }
      await runs.cancel(first.runId, ada);
      await expect(runs.start({ prompt: 'three', sessionId }, ada)).resolves.toMatchObject({
        sessionId,
      });
    },
  );
});

describe('cancelling', () => {
  it(
    'stops a speaking model at once and is on record, with who did it',
    verifies('runs:cancel-is-recorded'),
    async () => {
      await using test = await testGateway({ model: endlessModel('and so on') });
      const run = await test.gateway.runs.start({ prompt: 'talk' }, ada);
      await firstWord(run.events(never));
      const ended = await test.gateway.runs.cancel(run.runId, {
        ...ownerCaller(Role.ADMIN),
        principal: 'user:bob',
        actor: 'user:bob via console:tab',
      });
      expect(ended.status).toBe(RunStatus.CANCELLED);
      const last = (await test.journal.page({ after: 0, limit: 10 })).at(-1);
      expect(last).toMatchObject({ kind: 'run.ended', actor: 'user:bob via console:tab' });
    },
  );

  it('twice, or after the end, says that the run has ended', async () => {
    await using test = await testGateway({ model: endlessModel('…') });
    const run = await test.gateway.runs.start({ prompt: 'talk' }, ada);
    await test.gateway.runs.cancel(run.runId, ada);
    await expect(test.gateway.runs.cancel(run.runId, ada)).rejects.toMatchObject({
      code: 'RUN_NOT_ACTIVE',
    });
  });

  it('a run that never was says so', async () => {
    await using test = await testGateway();
    const unknown = test.parts.ids.next<'run'>();
    await expect(test.gateway.runs.cancel(unknown, ada)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('limits', () => {
  it.each([
    ['max_turns', { max_turns: 1 }, [[ask('x')], [say('late')]]],
    ['max_tool_calls', { max_tool_calls: 1 }, [[ask('x'), ask('y')]]],
    ['max_turn_bytes', { max_turn_bytes: 1_024 }, [[say('x'.repeat(2_000))]]],
  ] as const)('%s stops the run with its name in the error', async (name, limits, script) => {
    const settings = { ...runsSection.parse({}), ...limits };
    await using test = await testGateway({ model: talkingModel(...script), settings });
    const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
    await take(run.events(never));
    const ended = await test.gateway.runs.get(run.runId, ada);
    expect(ended.status).toBe(RunStatus.FAILED);
    expect(ended.error?.message).toContain(name);
  });

  it('refuse a run beyond max_active and lose nothing', async () => {
    const settings = { ...runsSection.parse({}), max_active: 1 };
    await using test = await testGateway({ model: endlessModel('…'), settings });
    await test.gateway.runs.start({ prompt: 'one' }, ada);
    await expect(test.gateway.runs.start({ prompt: 'two' }, ada)).rejects.toMatchObject({
      code: 'OVERLOADED',
    });
  });
});

describe('draining', () => {
  it('takes no new run and marks those that do not end in time as interrupted', async () => {
    await using test = await testGateway({ model: endlessModel('…') });
    const run = await test.gateway.runs.start({ prompt: 'talk' }, ada);
    await test.gateway.runs.drain(1);
    expect((await test.gateway.runs.get(run.runId, ada)).status).toBe(RunStatus.INTERRUPTED);
    await expect(test.gateway.runs.start({ prompt: 'more' }, ada)).rejects.toMatchObject({
      code: 'SHUTTING_DOWN',
    });
  });
});

describe('resuming', () => {
  const script = [[say('first'), ask('a.tool')], [say('second')]] as const;

  async function interruptedAfter(kinds: readonly string[]) {
    const home = await tempHome();
    let runId: RunId;
    {
      // A run as a crash leaves it: its entries up to a point, and no end.
      await using whole = await testGateway({
        model: talkingModel(...script),
        policy: policyThatSays({ kind: DecisionKind.ALLOW }),
      });
      const run = await whole.gateway.runs.start({ prompt: 'go' }, ada);
      await take(run.events(never));
      runId = run.runId;
      await using cut = await testGateway({ home });
      for (const { kind, actor, payload, sessionId } of await whole.journal.page({
        after: 0,
        limit: 50,
        runId,
      })) {
        if (!kinds.includes(kind)) break;
        await cut.journal.append([
          { kind, actor, payload, runId, ...(sessionId === undefined ? {} : { sessionId }) },
        ]);
      }
    }
    return { home, runId };
  }

  it(
    'marks a run without an end as interrupted, once',
    verifies('runs:crash-is-interrupted'),
    async () => {
      const { home, runId } = await interruptedAfter(['run.started', 'model.message']);
      await using disposed = home;
      await using test = await testGateway({ home: disposed, log: quietLog() });
      await test.gateway.runs.recover();
      await test.gateway.runs.recover();
      const entries = await test.journal.page({ after: 0, limit: 50, runId });
      expect(entries.filter(({ kind }) => kind === 'run.interrupted')).toHaveLength(1);
      expect((await test.gateway.runs.get(runId, ada)).status).toBe(RunStatus.INTERRUPTED);
    },
  );

  it(
    'makes a call that had not started, and asks the model only for what is missing',
    verifies('runs:resume-from-journal'),
    async () => {
      const { home, runId } = await interruptedAfter([
        'run.started',
        'model.message',
        'tool.proposed',
      ]);
      await using disposed = home;
      const sandbox = rememberingSandbox();
      const model = talkingModel(...script);
      const policy = policyThatSays({ kind: DecisionKind.ALLOW });
      await using test = await testGateway({ home: disposed, sandbox, model, policy });
      await test.gateway.runs.recover();
      const run = await test.gateway.runs.resume(runId, ada);
      await take(run.events(never));
      expect(sandbox.requests).toHaveLength(1);
      expect(model.heard).toHaveLength(1);
      expect((await test.gateway.runs.get(runId, ada)).status).toBe(RunStatus.COMPLETED);
    },
  );

  it(
    'never runs a call again that had started: its outcome is unknown, and told so',
    verifies('runs:nothing-runs-twice'),
    async () => {
      const seen = [
        'run.started',
        'model.message',
        'tool.proposed',
        'tool.decided',
        'tool.started',
      ];
      const { home, runId } = await interruptedAfter(seen);
      await using disposed = home;
      const sandbox = rememberingSandbox();
      const policy = policyThatSays({ kind: DecisionKind.ALLOW });
      const model = talkingModel(...script);
      await using test = await testGateway({ home: disposed, sandbox, model, policy });
      await test.gateway.runs.recover();
      const events = await take((await test.gateway.runs.resume(runId, ada)).events(never));
      expect(sandbox.requests).toEqual([]);
      const finished = events.find(({ event }) => event.case === 'toolFinished')?.event.value;
      expect(finished).toMatchObject({ outcome: ToolOutcome.FAILED });
      const attested = events.find(({ event }) => event.case === 'toolAttested')?.event.value;
      expect(attested).toMatchObject({
        decision: DecisionKind.ALLOW,
        ruleIds: ['test-rule'],
        // As its start has it: naming nobody would say that nothing ran.
        executor: Executor.SANDBOX_TIER_B_RLIMITS,
        sandboxEnforcement: expect.stringContaining('unknown'),
      });
    },
  );

  it('twice at once lets one through', async () => {
    const { home, runId } = await interruptedAfter(['run.started', 'model.message']);
    await using disposed = home;
    await using test = await testGateway({ home: disposed, model: talkingModel(...script) });
    await test.gateway.runs.recover();
    const tries = await Promise.allSettled(
      [1, 2, 3].map(() => test.gateway.runs.resume(runId, ada)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('a run whose beginning was archived is refused: its calls could be made again', async () => {
    const { home, runId } = await interruptedAfter(['run.started', 'model.message']);
    await using disposed = home;
    await using test = await testGateway({ home: disposed, model: talkingModel(...script) });
    await test.gateway.runs.recover();
    const journal: GatewayParts['journal'] = {
      ...test.parts.journal,
      append: (drafts) => test.journal.append(drafts),
      subscribe: (listener) => test.journal.subscribe(listener),
      page: (query) => test.journal.page({ ...query, after: Math.max(query.after, 1) }),
    };
    const { runs } = createGateway({ ...test.parts, journal });
    await expect(runs.resume(runId, ada)).rejects.toMatchObject({ code: 'RUN_NOT_RESUMABLE' });
  });

  it('a run that ended is refused', async () => {
    await using test = await testGateway({ model: talkingModel([say('done')]) });
    const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
    await take(run.events(never));
    await expect(test.gateway.runs.resume(run.runId, ada)).rejects.toMatchObject({
      code: 'RUN_NOT_RESUMABLE',
    });
  });
});
