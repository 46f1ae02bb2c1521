import { mkdir, mkdtempDisposable, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import type { Connecting, OutputChunk } from '@palyra/gateway';
import { type Log, PalyraError } from '@palyra/kernel';
import { Executor, SandboxTier, ToolOutcome, ToolProposalSchema } from '@palyra/protocol';
import { DEFAULT_LIMITS } from '@palyra/sandbox';
import { describe, expect, it } from 'vitest';
import type { Ending, SandboxRequest, Sandboxes } from '../sandbox-process.ts';
import { createSandboxPort } from './sandbox-port.ts';
import { createVerdicts } from './verdicts.ts';
import { onlyIn } from '../workspaces.fixture.ts';

type Verdict = Awaited<ReturnType<Sandboxes['verdict']>>;

const EXECUTOR = 'sandbox_tier_c_linux_bubblewrap';
const VERDICT: Verdict = {
  fingerprint: '0'.repeat(64),
  machine: {
    kernel: '6',
    arch: 'x64',
    bwrap: '0.8.0',
    bwrapFile: '',
    account: { uid: 1, gid: 1 },
    cgroup: 'none',
    version: '1',
    profiles: {},
  },
  provenAt: '2026-01-02T03:04:05.000Z',
  steps: [
    {
      step: 'bubblewrap',
      executor: EXECUTOR,
      isProven: true,
      refusal: '',
      findings: [],
      weaknesses: [],
    },
  ],
  tier: 'C',
};

const PROCESS: Verdict['steps'][number] = {
  step: 'process',
  executor: 'sandbox_tier_b_rlimits',
  isProven: true,
  refusal: '',
  findings: [],
  weaknesses: [],
};

const ENDING: Ending = {
  kind: 'exited',
  code: 0,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  truncated: { stdout: false, stderr: false },
  outputSha256: '',
  durationMs: 1,
  posture: {
    executor: EXECUTOR,
    namespaces: [],
    seccomp: '',
    memory: 'best-effort',
    egress: 'strict',
    hosts: [],
    isWarm: false,
    weaknesses: [],
  },
};

/** Runs nothing: each command reaches one host, and ends well. */
class Recorded implements Sandboxes {
  readonly commands: SandboxRequest[] = [];
  readonly answers: boolean[] = [];
  readonly verdicts: (Verdict | PalyraError)[];

  constructor(...verdicts: readonly (Verdict | PalyraError)[]) {
    this.verdicts = [...verdicts];
  }

  async run(
    ...[request, { mayConnect, onConnection, onOutput }]: Parameters<Sandboxes['run']>
  ): Promise<Ending> {
    this.commands.push(request);
    onOutput('stdout', new TextEncoder().encode('made'));
    onOutput('stderr', new TextEncoder().encode('odd'));
    const to = { port: 443, addresses: ['93.184.216.34', '10.0.0.1'] };
    this.answers.push(await mayConnect({ host: 'api.example', ...to }));
    onConnection({ host: 'api.example' });
    return ENDING;
  }

  async verdict(): Promise<Verdict> {
    const next = this.verdicts.shift();
    if (next === undefined || next instanceof PalyraError) throw next ?? new Error('asked again');
    return next;
  }

  readonly expected: Parameters<Sandboxes['expect']>[0][] = [];

  expect(request: Parameters<Sandboxes['expect']>[0]): void {
    this.expected.push(request);
  }

  explain(): Promise<never> {
    return Promise.reject(new Error('nobody asked'));
  }

  prove(): Promise<never> {
    return Promise.reject(new Error('nobody asked'));
  }

  async load() {
    return { warm: 0, busy: 0, waiting: 0 };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function open(sandboxes: Sandboxes, workspace = '/home/ann/project') {
  const warnings: string[] = [];
  const say = () => {};
  const log: Log = {
    debug: say,
    info: say,
    warn: (message) => void warnings.push(message),
    error: say,
    with: () => log,
  };
  const own = { workspace, folders: ['/home/ann/.config/palyra'] };
  const workspaces = onlyIn(own);
  const ground = { workspaces, limits: DEFAULT_LIMITS, egress: 'preflight' } as const;
  const verdicts = createVerdicts(sandboxes, log);
  return { port: createSandboxPort({ sandboxes, verdicts, ...ground }), verdicts, warnings };
}

const hosts: string[] = [];
const wanted: Connecting[] = [];
const heard: string[] = [];
const CALL = {
  callId: 'call-1',
  tool: 'process.run',
  arguments: {
    command: 'true',
    args: [],
    cwd: '.',
    stdin: '',
    env: [],
    tier: 'C',
    hosts: [],
    timeout_ms: 0,
  },
  principal: 'ann',
  sessionId: 'session-1',
  policySetHash: '',
  workspace: '/home/ann/project',
  mayConnect: async (to: Connecting) => wanted.push(to) > 0,
  onConnection: ({ host, callId }: { readonly host: string; readonly callId: string }) =>
    void hosts.push(`${callId} ${host}`),
  onOutput: ({ isErrorOutput, bytes }: OutputChunk) =>
    void heard.push(`${isErrorOutput ? 'error' : 'output'}: ${Buffer.from(bytes).toString()}`),
  onFileChange: () => Promise.resolve(),
};
const PROPOSAL = create(ToolProposalSchema, { tool: 'process.run' });
const NEVER = new AbortController().signal;
const UNKNOWN = new PalyraError('SANDBOX_UNAVAILABLE', 'not now');

describe('the port to the sandboxes', () => {
  it('carries a cleared command out, and tells whom it reached', async () => {
    const sandboxes = new Recorded(VERDICT);
    const { port } = open(sandboxes);
    expect(await port.execute(CALL, NEVER)).toMatchObject({
      outcome: ToolOutcome.SUCCEEDED,
      executor: Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP,
      enforcement: expect.stringContaining('0 attacks refused on 2026-01-02T03:04:05.000Z'),
    });
    expect(sandboxes.commands.map(({ executable }) => executable)).toEqual(['true']);
    expect(hosts).toEqual(['call-1 api.example']);
    expect(heard).toEqual(['output: made', 'error: odd']);
  });

  it.each([
    [50, 'split the work, or give the call a longer `timeout_ms`, up to 120000'],
    [120_000, 'split the work, or raise `sandbox.wall_time_ms`'],
    [0, 'split the work, or raise `sandbox.wall_time_ms`'],
  ])('names the limit that ended a command with a `timeout_ms` of %i', async (own, help) => {
    const sandboxes = new Recorded(VERDICT);
    const { code, message, help: usual } = new PalyraError('SANDBOX_TIMED_OUT', 'too late');
    const fault = { kind: 'TimedOut', code, reason: message, help: usual } as const;
    sandboxes.run = async () => ({ ...ENDING, kind: 'killed', fault });
    const call = { ...CALL, arguments: { ...CALL.arguments, timeout_ms: own } };
    expect(await open(sandboxes).port.execute(call, NEVER)).toMatchObject({
      outcome: ToolOutcome.TIMED_OUT,
      error: { code: 'SANDBOX_TIMED_OUT', help },
    });
  });

  it('asks about each connection with where its addresses lead, none of which anybody has listed', async () => {
    const sandboxes = new Recorded(VERDICT);
    await open(sandboxes).port.execute(CALL, NEVER);
    expect(wanted.at(-1)).toEqual({
      host: 'api.example',
      port: 443,
      leadsTo: [
        { range: 'public', isListed: false },
        { range: 'private', isListed: false },
      ],
    });
    expect(sandboxes.answers).toEqual([true]);
  });

  it('expects a cage for a run of whoever has run a command there, under the rules and for the session of that run', async () => {
    const sandboxes = new Recorded(VERDICT);
    const { port } = open(sandboxes);
    const { principal, workspace } = CALL;
    const run = { principal, workspace, sessionId: 'session-2', policySetHash: 'newer' };
    port.expectRun(run);
    expect(sandboxes.expected).toEqual([]);
    await port.execute(CALL, NEVER);
    port.expectRun(run);
    const behind = { principal, workspace, session: 'session-2', policySetHash: 'newer' };
    const egress = { mode: 'strict', hosts: [], secrets: [] };
    const cage = { tier: 'C', egress, limits: DEFAULT_LIMITS };
    expect(sandboxes.expected).toStrictEqual([{ ...cage, ...behind }]);
  });

  it('shows where a command would run, and runs it in no other workspace than that', async () => {
    const sandboxes = new Recorded(VERDICT);
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-port-'));
    const { port } = open(sandboxes, folder.path);
    const shown = await port.preview({ ...PROPOSAL, workspace: folder.path });
    const call = { ...CALL, workspace: folder.path, shown };
    expect(shown).toMatchObject({
      tier: SandboxTier.C,
      executor: Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP,
      posture: expect.stringContaining('0 attacks refused on 2026-01-02T03:04:05.000Z'),
    });
    expect(await port.execute(call, NEVER)).toMatchObject({
      outcome: ToolOutcome.SUCCEEDED,
      limits: { wallTimeLimitMs: DEFAULT_LIMITS.wallTimeMs },
    });
    await rename(folder.path, `${folder.path}-before`);
    await mkdir(folder.path);
    expect(await port.execute(call, NEVER)).toMatchObject({
      outcome: ToolOutcome.REFUSED,
      error: { code: 'APPROVAL_OUTDATED' },
    });
    await rm(`${folder.path}-before`, { recursive: true });
    expect(sandboxes.commands).toHaveLength(1);
  });

  it('runs a command in no other folder of the workspace than the one that was shown', async () => {
    const sandboxes = new Recorded(VERDICT);
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-port-'));
    const at = (name: string) => join(folder.path, name);
    await mkdir(at('sub'));
    const { port } = open(sandboxes, folder.path);
    const there = { arguments: { ...CALL.arguments, cwd: 'sub' }, workspace: folder.path };
    const shown = await port.preview({ ...PROPOSAL, ...there });
    const call = { ...CALL, ...there, shown };
    expect(await port.execute(call, NEVER)).toMatchObject({ outcome: ToolOutcome.SUCCEEDED });
    await rename(at('sub'), at('before'));
    await mkdir(at('sub'));
    expect(await port.execute(call, NEVER)).toMatchObject({
      outcome: ToolOutcome.REFUSED,
      error: { code: 'APPROVAL_OUTDATED' },
    });
    expect(sandboxes.commands).toHaveLength(1);
  });

  it('says what a command will need before it comes, and nothing that it says', async () => {
    const sandboxes = new Recorded(VERDICT);
    const { port } = open(sandboxes);
    port.expect({ ...CALL, policySetHash: 'f'.repeat(64) });
    expect(sandboxes.expected).toEqual([
      {
        tier: 'C',
        workspace: '/home/ann/project',
        egress: { mode: 'strict', hosts: [], secrets: [] },
        limits: DEFAULT_LIMITS,
        principal: 'ann',
        session: 'session-1',
        policySetHash: 'f'.repeat(64),
      },
    ]);
    expect(sandboxes.commands).toEqual([]);
  });

  it.each([
    ['another tool', { tool: 'file.fly' }],
    ['a weaker cage', { arguments: { ...CALL.arguments, tier: 'B' } }],
    ['what cannot be read', { arguments: {} }],
  ])('expects nothing for %s', (_, other) => {
    const sandboxes = new Recorded(VERDICT);
    open(sandboxes).port.expect({ ...CALL, ...other });
    expect(sandboxes.expected).toEqual([]);
  });

  it('starts nothing for a tool that has no code, nor for a workspace of the gateway itself', async () => {
    const sandboxes = new Recorded(VERDICT);
    const unbuilt = await open(sandboxes).port.execute({ ...CALL, tool: 'file.fly' }, NEVER);
    const own = await open(sandboxes, '/home/ann').port.execute(
      { ...CALL, workspace: '/home/ann' },
      NEVER,
    );
    expect([unbuilt, own]).toMatchObject([
      { outcome: ToolOutcome.FAILED, error: { code: 'NOT_BUILT' } },
      { enforcement: 'not executed', error: { code: 'SANDBOX_SCOPE_DENIED' } },
    ]);
    expect(sandboxes.commands).toEqual([]);
  });

  it('names the place that was proven, asks once, and knows none for what it does not run', async () => {
    const { port } = open(new Recorded(VERDICT));
    const proven = { tier: 'C', executor: Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP };
    expect(await port.place(PROPOSAL)).toEqual(proven);
    expect(await port.place(PROPOSAL)).toEqual(proven);
    expect(await port.place(create(ToolProposalSchema, { tool: 'file.fly' }))).toEqual({
      tier: 'none',
      executor: Executor.NONE,
    });
  });

  it('has no place where less than tier C holds', async () => {
    const { port } = open(new Recorded({ ...VERDICT, tier: 'B', steps: [PROCESS] }));
    expect(await port.place(PROPOSAL)).toMatchObject({
      tier: 'none',
    });
  });

  it('takes a call without a cage to tier B alone, and only where that was proven', async () => {
    const sandboxes = new Recorded({ ...VERDICT, steps: [...VERDICT.steps, PROCESS] });
    const { port } = open(sandboxes);
    const asked = create(ToolProposalSchema, { tool: 'process.run', arguments: { tier: 'B' } });
    const place = { tier: 'B', executor: Executor.SANDBOX_TIER_B_RLIMITS };
    expect(await port.place(asked)).toEqual(place);
    const call = { ...CALL, arguments: { ...CALL.arguments, tier: 'B' } };
    expect(await port.execute(call, NEVER)).toMatchObject({ outcome: ToolOutcome.SUCCEEDED });
    expect(sandboxes.commands).toMatchObject([{ tier: 'B', egress: { mode: 'preflight' } }]);

    const weaker = new Recorded(VERDICT);
    expect(await open(weaker).port.execute(call, NEVER)).toMatchObject({
      enforcement: 'not executed',
      error: { code: 'SANDBOX_UNAVAILABLE' },
    });
    expect(weaker.commands).toEqual([]);
  });

  it('has no place while nothing is known, says so, and asks again', async () => {
    const { port, verdicts, warnings } = open(new Recorded(UNKNOWN, VERDICT));
    await verdicts.current();
    expect(warnings).toEqual(['nobody knows what sandboxes hold here']);
    expect(await port.place(PROPOSAL)).toMatchObject({ tier: 'C' });
  });

  it('is no matter for a warning while the gateway stops', async () => {
    const stopping = new PalyraError('SHUTTING_DOWN', 'the gateway makes no more sandboxes');
    const { verdicts, warnings } = open(new Recorded(stopping));
    expect(await verdicts.current()).toBeUndefined();
    expect(verdicts.known().fault?.code).toBe('SHUTTING_DOWN');
    expect(warnings).toEqual([]);
  });
});
