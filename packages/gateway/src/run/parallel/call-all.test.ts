import { permissionsOf } from '@palyra/kernel';
import {
  DecisionKind,
  PrincipalKind,
  type RunEvent,
  RunStatus,
  ToolOutcome,
  Role,
} from '@palyra/protocol';
import {
  policyThatSays,
  quietLog,
  rememberingSandbox,
  talkingModel,
  testGateway,
  verifies,
} from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { Execution, ModelEvent, SandboxPort, SandboxRequest } from '../../ports.ts';
import { MAX_RUNNING } from './lanes.ts';

const ada = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  actor: 'user:ada via device:laptop',
  channel: 'cli',
  deviceId: 'laptop',
} as const;
const never = new AbortController().signal;
const allow = policyThatSays({ kind: DecisionKind.ALLOW });
const ask = (tool: string, args: object): ModelEvent => ({
  kind: 'tool-call',
  tool,
  argumentsJson: JSON.stringify(args),
});
const read = (path: string) => ask('fs.read', { path });
const write = (path: string) => ask('fs.write', { path, content: 'x' });
const run = (...args: string[]) => ask('process.run', { command: 'git', args });

/** Holds each call until the test lets it go, and tells how many there are at once. */
class Hall {
  readonly order: string[] = [];
  most = 0;
  #inside = 0;
  readonly #full = Promise.withResolvers<void>();
  readonly #holdsUntil: number;

  /** Nobody leaves before so many are inside. */
  constructor(holdsUntil: number) {
    this.#holdsUntil = holdsUntil;
  }

  get sandbox(): SandboxPort {
    const outer = rememberingSandbox();
    return { ...outer, execute: (request, signal) => this.#hold(request, signal, outer) };
  }

  async #hold(
    request: SandboxRequest,
    signal: AbortSignal,
    outer: SandboxPort,
  ): Promise<Execution> {
    this.#inside += 1;
    this.most = Math.max(this.most, this.#inside);
    this.order.push(nameOf(request));
    if (this.#inside >= this.#holdsUntil) this.#full.resolve();
    await this.#full.promise;
    const execution = await outer.execute(request, signal);
    this.#inside -= 1;
    return { ...execution, output: new TextEncoder().encode(nameOf(request)) };
  }
}

function nameOf({ tool, arguments: args }: SandboxRequest): string {
  return `${tool} ${JSON.stringify(args['path'] ?? args['args'])}`;
}

async function made(hall: Hall, ...calls: readonly ModelEvent[]) {
  const model = talkingModel(calls, [{ kind: 'text', text: 'done' }]);
  await using test = await testGateway({
    rules: 'ask',
    policy: allow,
    model,
    sandbox: hall.sandbox,
  });
  const started = await test.gateway.runs.start({ prompt: 'go' }, ada);
  const events = await Array.fromAsync(started.events(never));
  const replay = await Array.fromAsync(
    test.gateway.runs.watch({ runId: started.runId, after: 0 }, ada, never),
  );
  return { events, replay, heard: model.heard.at(-1) ?? [] };
}

function outputs(turns: readonly { readonly role: string; readonly text: string }[]) {
  return turns
    .filter(({ role }) => role === 'tool')
    .map(({ text }) => /(?:fs|process)\.\w+ .*/.exec(text)?.[0]);
}

describe('the calls of one turn', () => {
  it(
    'run beside one another where their effects cannot meet, as many as may',
    verifies('runs:parallel-where-effects-cannot-meet'),
    async () => {
      // Nobody leaves before all are inside: this ends only when they are there at once.
      const hall = new Hall(MAX_RUNNING);
      await made(hall, read('a'), read('b'), write('c'), write('d'));
      expect(hall.most).toBe(MAX_RUNNING);
    },
  );

  it(
    'run one after the other, in their order, where they can',
    verifies('runs:parallel-where-effects-cannot-meet'),
    async () => {
      const hall = new Hall(1);
      await made(hall, write('a'), run('add', 'a'), read('a'), write('a'));
      expect(hall.most).toBe(1);
      expect(hall.order).toEqual([
        'fs.write "a"',
        'process.run ["add","a"]',
        'fs.read "a"',
        'fs.write "a"',
      ]);
    },
  );

  it('are never more than a few at once', async () => {
    const hall = new Hall(MAX_RUNNING);
    await made(hall, ...Array.from({ length: 12 }, (_, place) => read(`${place}`)));
    expect([hall.most, hall.order.length]).toEqual([MAX_RUNNING, 12]);
  });

  it('are heard of in their order, and a replay tells what was seen live', async () => {
    const { heard, events, replay } = await made(new Hall(3), read('c'), read('a'), read('b'));
    expect(outputs(heard)).toEqual(['fs.read "c"', 'fs.read "a"', 'fs.read "b"']);
    const journaled = events.filter(({ sequence }: RunEvent) => sequence > 0n);
    expect(journaled).toEqual(replay);
  });

  it('are all stopped when the run is cancelled, each with its end on record', async () => {
    const inside = Promise.withResolvers<void>();
    let under = 0;
    const outer = rememberingSandbox();
    const sandbox: SandboxPort = {
      ...outer,
      execute: async (request, signal) => {
        under += 1;
        if (under === 2) inside.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { ...(await outer.execute(request, signal)), outcome: ToolOutcome.CANCELLED };
      },
    };
    await using test = await testGateway({
      rules: 'ask',
      policy: allow,
      log: quietLog(),
      model: talkingModel([read('a'), read('b'), run('status')]),
      sandbox,
    });
    const { runId } = await test.gateway.runs.start({ prompt: 'go' }, ada);
    await inside.promise;
    const { status } = await test.gateway.runs.cancel(runId, ada);
    expect(status).toBe(RunStatus.CANCELLED);
    const entries = await test.journal.page({ after: 0, limit: 100, runId });
    const finished = entries.filter(({ kind }) => kind === 'tool.finished');
    expect(finished.map(({ payload }) => payload['outcome'])).toEqual([
      'TOOL_OUTCOME_CANCELLED',
      'TOOL_OUTCOME_CANCELLED',
      'TOOL_OUTCOME_CANCELLED',
    ]);
    expect(outer.requests).toHaveLength(2);
  });

  it('are judged again when they had to wait: what was allowed then may not be now', async () => {
    const answers = [
      { kind: DecisionKind.ALLOW },
      { kind: DecisionKind.ALLOW },
      { kind: DecisionKind.DENY, reason: 'not any more' },
    ];
    const hall = new Hall(1);
    const policy = policyThatSays(...answers);
    await using test = await testGateway({
      rules: 'ask',
      policy,
      model: talkingModel([run('one'), run('two')], [{ kind: 'text', text: 'done' }]),
      sandbox: hall.sandbox,
    });
    const started = await test.gateway.runs.start({ prompt: 'go' }, ada);
    await Array.fromAsync(started.events(never));
    expect(hall.order).toEqual(['process.run ["one"]']);
    expect(policy.judged).toHaveLength(3);
    expect(policy.judged.at(-1)?.taint).toEqual(['tool']);
  });
});

describe('what a command prints', () => {
  it('is streamed while it runs, and comes again with the result', async () => {
    const outer = rememberingSandbox('hello');
    const sandbox: SandboxPort = {
      ...outer,
      execute: async (request, signal) => {
        request.onOutput({ isErrorOutput: false, bytes: new TextEncoder().encode('hel') });
        request.onOutput({ isErrorOutput: true, bytes: new TextEncoder().encode('lo') });
        return await outer.execute(request, signal);
      },
    };
    await using test = await testGateway({
      rules: 'ask',
      policy: allow,
      model: talkingModel([run('status')], [{ kind: 'text', text: 'done' }]),
      sandbox,
    });
    const started = await test.gateway.runs.start({ prompt: 'go' }, ada);
    const events = await Array.fromAsync(started.events(never));
    const printed = events.flatMap(({ event, sequence }) =>
      event.case === 'toolOutput' ? [{ sequence, ...event.value }] : [],
    );
    expect(printed).toMatchObject([
      { sequence: 0n, isErrorOutput: false, data: new TextEncoder().encode('hel') },
      { sequence: 0n, isErrorOutput: true, data: new TextEncoder().encode('lo') },
    ]);
  });
});
