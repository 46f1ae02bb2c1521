import { permissionsOf } from '@palyra/kernel';
import { DecisionKind, PrincipalKind, Role } from '@palyra/protocol';
import {
  policyThatSays,
  quietLog,
  rememberingSandbox,
  talkingModel,
  testGateway,
} from '@palyra/testkit';
import { expect, it } from 'vitest';
import type { ExpectedCall, ExpectedRun, ModelEvent, SandboxPort } from '../ports.ts';

const ada = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  actor: 'user:ada via device:laptop',
  channel: 'cli',
  deviceId: 'laptop',
} as const;
const ask = (args: object): ModelEvent => ({
  kind: 'tool-call',
  tool: 'process.run',
  argumentsJson: JSON.stringify(args),
});

it('a call is expected before it is decided, as it will run, and one that means nothing is not', async () => {
  const expected: ExpectedCall[] = [];
  const outer = rememberingSandbox();
  const sandbox: SandboxPort = {
    ...outer,
    expect: (call) => {
      expect(outer.requests).toEqual([]);
      expected.push(call);
    },
  };
  await using test = await testGateway({
    rules: 'ask',
    policy: policyThatSays({ kind: DecisionKind.ALLOW }),
    model: talkingModel(
      [ask({ command: 'true' }), ask({ command: 1 })],
      [{ kind: 'text', text: 'done' }],
    ),
    sandbox,
  });
  const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
  await Array.fromAsync(run.events(new AbortController().signal));
  const [ran] = outer.requests;
  expect(expected).toHaveLength(1);
  expect(expected[0]).toMatchObject({
    tool: 'process.run',
    arguments: ran?.arguments,
    principal: 'user:ada',
    sessionId: run.sessionId,
    workspace: ran?.workspace,
  });
});

it('a run is expected before its model is asked, and begins also when nothing can be made ready', async () => {
  const log = quietLog();
  const runs: ExpectedRun[] = [];
  const model = talkingModel([{ kind: 'text', text: 'done' }]);
  const sandbox: SandboxPort = {
    ...rememberingSandbox(),
    expectRun: (run) => {
      expect(model.heard).toEqual([]);
      runs.push(run);
      throw new TypeError('nobody is there');
    },
  };
  await using test = await testGateway({ model, sandbox, log });
  const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
  const told = await Array.fromAsync(run.events(new AbortController().signal));
  expect(told.map(({ event }) => event.case)).toContain('modelMessage');
  const { sessionId, runId } = run;
  expect(runs).toMatchObject([{ principal: 'user:ada', sessionId }]);
  const message = 'what calls would run in is not made ready';
  expect(log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message, fields: expect.objectContaining({ runId }) }),
  );
});

it('an answer is recorded, and its call made, also when nothing can be made ready for it', async () => {
  const log = quietLog();
  const outer = rememberingSandbox();
  const sandbox: SandboxPort = {
    ...outer,
    expect: () => {
      throw new TypeError('nobody is there');
    },
  };
  await using test = await testGateway({
    rules: 'ask',
    policy: policyThatSays({ kind: DecisionKind.ALLOW }),
    model: talkingModel([ask({ command: 'true' })], [{ kind: 'text', text: 'done' }]),
    sandbox,
    log,
  });
  const run = await test.gateway.runs.start({ prompt: 'go' }, ada);
  const told = await Array.fromAsync(run.events(new AbortController().signal));
  expect(told.filter(({ event }) => event.case === 'modelMessage')).toHaveLength(2);
  expect(outer.requests).toHaveLength(1);
  const { runId } = run;
  const message = 'what calls would run in is not made ready';
  expect(log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message, fields: expect.objectContaining({ runId }) }),
  );
});
