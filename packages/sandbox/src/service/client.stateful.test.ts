import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { SandboxRequest } from '../model.ts';
import { startSandboxd } from './client.ts';
import { MAX_RUNS, MAX_WAITING } from './bounds.ts';
import type { RunWatch } from './sandboxes.ts';

const PROGRAM = join(import.meta.dirname, 'odd-process.fixture.ts');

const REQUEST: SandboxRequest = {
  tier: 'C',
  executable: 'true',
  arguments: [],
  workspace: '/nowhere',
  directory: '.',
  environment: {},
  stdin: new Uint8Array(),
  limits: { ...DEFAULT_LIMITS, outputBytes: 1000 },
  egress: {
    mode: 'strict',
    hosts: ['api.example'],
    secrets: [{ variable: 'KEY', name: 'promised', use: 'api.example' }],
  },
  principal: 'test',
  session: 'test',
  policySetHash: '',
};

/** As the rules would answer that know one host and fail on another. */
const mayConnect: RunWatch['mayConnect'] = async ({ host }) => {
  if (host === 'broken.example') throw new TypeError('the rules are gone');
  return host === 'api.example';
};

async function withProcess(way: string) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'palyra-odd-'));
  const ends: string[] = [];
  const sandboxes = startSandboxd({
    program: PROGRAM,
    opening: { folder: folder.path, version: way, warm: 0, warmTotal: 0, programs: [] },
    secrets: { reveal: async (name) => `the secret ${name}` },
    onEnd: ({ code }) => ends.push(code),
  });
  const run = (signal = new AbortController().signal, wish: Partial<SandboxRequest> = {}) =>
    sandboxes.run(
      { ...REQUEST, ...wish },
      { signal, onOutput: () => {}, onConnection: () => {}, mayConnect },
    );
  return {
    sandboxes,
    run,
    ends,
    [Symbol.asyncDispose]: async () => {
      await sandboxes[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

describe('the process that makes sandboxes', () => {
  it('that dies fails what it was doing, once, and the next use starts it anew', async () => {
    await using process = await withProcess('dies-once');
    const first = await process.run();
    expect(first).toMatchObject({ kind: 'killed', fault: { code: 'SANDBOX_FAILED' } });
    expect(textOf(first.stdout)).toBe('half');
    const second = await process.run();
    expect([second.kind, textOf(second.stdout)]).toEqual(['exited', 'alive']);
    expect(process.ends).toEqual(['SANDBOX_FAILED']);
  });

  it.each(['gibberish', 'another-run', 'too-much'])(
    'is ended when it says what it must not: %s',
    async (way) => {
      await using process = await withProcess(way);
      expect(await process.run()).toMatchObject({ fault: { code: 'SANDBOX_FAILED' } });
    },
  );

  it('is ended when it answers another question than it was asked', async () => {
    await using process = await withProcess('plain');
    await expect(process.sandboxes.explain(REQUEST)).rejects.toMatchObject({
      code: 'SANDBOX_FAILED',
    });
  });

  it('says itself why it cannot serve', async () => {
    await using process = await withProcess('unable');
    await expect(process.sandboxes.explain(REQUEST)).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: 'not here',
      help: 'elsewhere',
    });
    expect(await process.run()).toMatchObject({ kind: 'refused', fault: { reason: 'not here' } });
  });

  it('is asked for nothing that it would end for', async () => {
    await using process = await withProcess('environment');
    const name = 'x'.repeat(2000);
    const wishes: readonly (readonly [string, Partial<SandboxRequest>])[] = [
      ['arguments', { arguments: Array.from({ length: 100_000 }, () => 'x') }],
      ['executable', { executable: 'x'.repeat(200_000) }],
      ['environment', { environment: { [name]: '' } }],
      ['egress', { egress: { mode: 'strict', hosts: [`${name}${name}${name}`], secrets: [] } }],
    ];
    for (const [part, wish] of wishes) {
      const reason = `the ${part} of the command is out of bounds`;
      const fault = { kind: 'InvalidInput', code: 'INVALID_INPUT', reason };
      expect(await process.run(undefined, wish)).toMatchObject({ kind: 'refused', fault });
      await expect(process.sandboxes.explain({ ...REQUEST, ...wish })).rejects.toThrow(reason);
      process.sandboxes.expect({ ...REQUEST, ...wish });
    }
    expect(await process.run()).toMatchObject({ kind: 'exited' });
    expect(process.ends).toEqual([]);
  });

  it('gets nothing of our environment but where compiled code is kept', async () => {
    await using process = await withProcess('environment');
    const [names, folder] = JSON.parse(textOf((await process.run()).stdout));
    expect(names.filter((name: string) => name !== 'NODE_COMPILE_CACHE')).toEqual([
      'MALLOC_ARENA_MAX',
    ]);
    expect(folder).toBe('/');
  });

  it('is told a secret that a command was promised, and no other', async () => {
    await using curious = await withProcess('curious');
    expect(textOf((await curious.run()).stdout)).toBe('the secret promised');
    await using greedy = await withProcess('greedy');
    expect(textOf((await greedy.run()).stdout)).toBe('refused');
  });

  it.each([
    ['connects', 'true'],
    ['connects-elsewhere', 'false'],
    ['connects-in-doubt', 'false'],
    ['connects-for-nobody', 'false'],
  ])('is told whether a command may make a connection: %s is %s', async (way, answer) => {
    await using process = await withProcess(way);
    expect(textOf((await process.run()).stdout)).toBe(answer);
  });

  it('is killed when it does not go, and what it owed has failed', async () => {
    const process = await withProcess('hangs');
    const owed = process.run();
    // Answered in order: once this is refused, the run is under way.
    await process.sandboxes.explain(REQUEST).catch(() => {});
    await process[Symbol.asyncDispose]();
    expect(await owed).toMatchObject({ fault: { code: 'SHUTTING_DOWN' } });
    expect(await process.run()).toMatchObject({ kind: 'refused' });
  });

  it('is given so many commands at once; more wait, and more than that are refused', async () => {
    await using process = await withProcess('never-answers');
    const stop = new AbortController();
    const runs = Array.from({ length: MAX_RUNS + MAX_WAITING }, () => process.run(stop.signal));
    expect(await process.run()).toMatchObject({
      kind: 'refused',
      fault: { code: 'OVERLOADED' },
    });
    stop.abort();
    // Those that waited are taken back at once; the others are the other process's to end.
    const ended = await Promise.all(runs.slice(MAX_RUNS));
    expect(new Set(ended.map(({ fault }) => fault?.code))).toEqual(new Set(['CANCELLED']));
  });

  it('that is not there is refused with a reason', async () => {
    await using sandboxes = startSandboxd({
      program: '/nonexistent/sandboxd',
      opening: { folder: '/', version: '', warm: 0, warmTotal: 0, programs: [] },
    });
    await expect(sandboxes.verdict()).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
  });
});
