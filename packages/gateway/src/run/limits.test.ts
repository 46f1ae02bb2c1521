import { fromJson } from '@bufbuild/protobuf';
import { type RunId, permissionsOf } from '@palyra/kernel';
import {
  DecisionKind,
  type RunEnded,
  RunEndedSchema,
  RunStatus,
  StopReason,
  ToolOutcome,
  PrincipalKind,
  Role,
} from '@palyra/protocol';
import {
  type TestGateway,
  endlessModel,
  policyThatSays,
  quietLog,
  rememberingSandbox,
  talkingModel,
  testGateway,
  verifies,
} from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { GatewayParts } from '../parts.ts';
import type { ModelEvent } from '../ports.ts';
import { type RunSettings, runsSection } from '../settings.ts';
import { spendingMessage, spendingOf } from './budget/spending.ts';
import { entriesOfRun } from './watch.ts';

const ada = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  actor: 'user:ada via device:laptop',
  channel: 'cli',
  deviceId: 'laptop',
} as const;
const never = new AbortController().signal;
const allow = { kind: DecisionKind.ALLOW };
const say = (text: string): ModelEvent => ({ kind: 'text', text });
const ask = (tool: string, place = 0): ModelEvent => ({
  kind: 'tool-call',
  tool,
  argumentsJson: `{"place":${place}}`,
});
const used = (tokens: number, costMicroUsd?: number): ModelEvent => ({
  kind: 'usage',
  inputTokens: tokens - 1,
  outputTokens: 1,
  cachedTokens: 0,
  ...(costMicroUsd === undefined ? {} : { costMicroUsd }),
});

function settings(limits: Partial<RunSettings>): RunSettings {
  return { ...runsSection.parse({}), ...limits };
}

async function endOf(test: TestGateway, runId: RunId): Promise<RunEnded> {
  const entries = await Array.fromAsync(entriesOfRun(runId, 0, test.journal));
  const last = entries.at(-1);
  if (last?.kind !== 'run.ended') throw new Error('the run has no end');
  return fromJson(RunEndedSchema, last.payload);
}

async function ended(chosen: Partial<GatewayParts>): Promise<RunEnded> {
  await using test = await testGateway({ log: quietLog(), ...chosen });
  const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
  await Array.fromAsync(run.events(never));
  return await endOf(test, run.runId);
}

describe('the budget of a run', () => {
  const turn = [say('on'), ask('a', 1), used(6_000, 40)];
  const next = [say('and on'), ask('a', 2), used(6_000, 60)];

  it.each([
    ['max_turns', { max_turns: 1 }, StopReason.MODEL_TURNS],
    ['max_tool_calls', { max_tool_calls: 1 }, StopReason.TOOL_CALLS],
    ['max_tokens', { max_tokens: 10_000 }, StopReason.TOKENS],
    ['max_cost_micro_usd', { max_cost_micro_usd: 70 }, StopReason.MONEY],
  ] as const)(
    'of %s ends it with the reason and what it spent',
    verifies('runs:budgets-are-limits'),
    async (name, limits, stopReason) => {
      const end = await ended({
        model: talkingModel(turn, next, [say('done')]),
        policy: policyThatSays(allow),
        settings: settings(limits),
      });
      expect(end).toMatchObject({ status: RunStatus.FAILED, stopReason });
      expect(end.error?.message).toContain(`runs.${name}`);
      expect(end.spent).toMatchObject({ tokens: expect.any(BigInt), toolCalls: 1 });
    },
  );

  it('of wall time stops a model that does not end', async () => {
    const end = await ended({ model: endlessModel('…'), settings: settings({ max_wall_ms: 1 }) });
    expect(end).toMatchObject({ status: RunStatus.FAILED, stopReason: StopReason.WALL_TIME });
  });

  it('that suffices ends as done, with what it spent, and the journal tells the same', async () => {
    await using test = await testGateway({
      model: talkingModel(turn, next, [say('done'), used(10, 1)]),
      policy: policyThatSays(allow),
    });
    const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
    await Array.fromAsync(run.events(never));
    const end = await endOf(test, run.runId);
    expect(end).toMatchObject({
      status: RunStatus.COMPLETED,
      stopReason: StopReason.DONE,
      spent: { modelTurns: 3, toolCalls: 2, tokens: 12_010n, costMicroUsd: 101n, approvals: 0 },
    });
    const entries = await Array.fromAsync(entriesOfRun(run.runId, 0, test.journal));
    const told = spendingMessage(spendingOf(entries));
    expect({ ...told, wallMs: 0n }).toEqual({ ...end.spent, wallMs: 0n });
  });

  it('bounds what a model may answer by the tokens that are left', async () => {
    const answers: number[] = [];
    const model = talkingModel([say('hello')]);
    await ended({
      model: {
        ...model,
        reply: (request, signal) => {
          answers.push(request.maxOutputTokens);
          return model.reply(request, signal);
        },
      },
      settings: settings({ max_tokens: 20_000 }),
    });
    expect(answers[0]).toBeGreaterThan(4_096);
    expect(answers[0]).toBeLessThan(20_000);
  });

  it('leaves an answer that is asked for anew what the one that broke off has not used', async () => {
    const most: number[] = [];
    const model = talkingModel();
    await ended({
      model: {
        ...model,
        isScript: false,
        reply: async function* (request) {
          most.push(request.maxOutputTokens);
          yield say('x'.repeat(8_000));
          yield { kind: 'asked-again', model: 'm', waitMs: 0, why: 'it broke off' };
          most.push(request.maxOutputTokens);
          yield say('done');
        },
      },
      settings: settings({ max_tokens: 40_000 }),
    });
    const [first = 0, second = 0] = most;
    expect(second).toBeGreaterThan(0);
    // Both the question and the half of an answer were paid for.
    expect(second).toBeLessThan(first - 2_000);
  });
});

describe('a call that is one too many', () => {
  it(
    'is judged as such, refused whatever the rules say, and on record; the ones before it ran',
    verifies('runs:budgets-are-limits'),
    async () => {
      const sandbox = rememberingSandbox();
      const policy = policyThatSays(allow);
      await using test = await testGateway({
        model: talkingModel([ask('a', 1), ask('a', 2), ask('a', 3)]),
        log: quietLog(),
        settings: settings({ max_tool_calls: 2 }),
        sandbox,
        policy,
      });
      const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
      const events = await Array.fromAsync(run.events(never));
      expect(policy.judged.map(({ budget }) => budget).toSorted()).toContain('exhausted');
      expect(sandbox.requests).toHaveLength(2);
      const outcomes = events.flatMap(({ event }) =>
        event.case === 'toolFinished' ? [event.value.outcome] : [],
      );
      expect(outcomes.toSorted((one, other) => one - other)).toEqual([
        ToolOutcome.SUCCEEDED,
        ToolOutcome.SUCCEEDED,
        ToolOutcome.REFUSED,
      ]);
    },
  );
});

describe('a turn with many calls', () => {
  it('has those made that are within the limit, and all others refused', async () => {
    const calls = Array.from({ length: 200 }, (_, place) => ask('fs.read', place));
    const sandbox = rememberingSandbox();
    await using test = await testGateway({
      model: talkingModel(calls, [say('never heard')]),
      log: quietLog(),
      settings: settings({ max_tool_calls: 150 }),
      sandbox,
      policy: policyThatSays(allow),
    });
    const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
    const events = await Array.fromAsync(run.events(never));
    const refused = events.filter(
      ({ event }) => event.case === 'toolFinished' && event.value.outcome === ToolOutcome.REFUSED,
    );
    expect(sandbox.requests).toHaveLength(150);
    expect(refused).toHaveLength(50);
    expect(await endOf(test, run.runId)).toMatchObject({
      status: RunStatus.FAILED,
      stopReason: StopReason.TOOL_CALLS,
      spent: { toolCalls: 150 },
    });
  });
});

describe('a run that goes round in circles', () => {
  const again = Array.from({ length: 9 }, () => [ask('a')]);

  it('is told so, and then stopped', async () => {
    const model = talkingModel(...again);
    const end = await ended({ model, policy: policyThatSays(allow) });
    expect(end).toMatchObject({ status: RunStatus.FAILED, stopReason: StopReason.REPEATED_CALL });
    expect(end.spent?.toolCalls).toBe(5);
    const notes = model.heard.at(-1)?.filter(({ text }) => text.includes('note of the gateway'));
    expect(notes).toHaveLength(2);
  });

  it('by being denied one call after the other is stopped too', async () => {
    const calls = Array.from({ length: 9 }, (_, place) => [ask('a', place)]);
    const end = await ended({ model: talkingModel(...calls) });
    expect(end).toMatchObject({ stopReason: StopReason.DENIALS, spent: { toolCalls: 8 } });
  });
});

describe('what a run has seen', () => {
  it('is what its next call is judged with', verifies('policy:taint-is-a-fact'), async () => {
    const policy = policyThatSays(allow);
    await ended({
      model: talkingModel([ask('fs.read')], [ask('http.fetch')], [ask('process.run')]),
      policy,
    });
    expect(policy.judged.map(({ taint }) => taint)).toEqual([[], ['file'], ['file', 'web']]);
  });

  it('is known to the next run of its session', verifies('policy:taint-is-a-fact'), async () => {
    const policy = policyThatSays(allow);
    const model = talkingModel([ask('http.fetch')], [say('done')], [ask('x')], [say('done')]);
    await using test = await testGateway({ model, policy });
    const first = await test.gateway.runs.start({ prompt: 'look' }, ada);
    await Array.fromAsync(first.events(never));
    const { sessionId } = first;
    const second = await test.gateway.runs.start({ prompt: 'do', sessionId }, ada);
    await Array.fromAsync(second.events(never));
    expect(policy.judged.map(({ taint }) => taint)).toEqual([[], ['web']]);
  });

  it('is nothing after a call that was refused', async () => {
    const policy = policyThatSays({ kind: DecisionKind.DENY });
    await ended({ model: talkingModel([ask('fs.read')], [ask('http.fetch')]), policy });
    expect(policy.judged.map(({ taint }) => taint)).toEqual([[], []]);
  });
});
