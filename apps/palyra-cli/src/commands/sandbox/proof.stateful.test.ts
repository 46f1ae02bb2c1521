import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../../../testing/cli.ts';
import { homeWith, startDaemon } from '../../../testing/daemon.ts';

let folder = '';
let project = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palyra proof '));
  project = join(folder, 'project');
  await mkdir(join(project, '.git'), { recursive: true });
  await writeFile(join(project, '.env'), 'SECRET=1');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const palyra = (...words: readonly string[]) =>
  cli(['sandbox', ...words], { environment: { PALYRA_HOME: join(folder, 'home') } });

describe('palyra sandbox prove', () => {
  it('shows what was tried, expected and observed, and ends with 0 only if tier C holds', async () => {
    const ended = await palyra('prove');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^tier C, by bubblewrap\n {2}tried +expected +observed\n✓ /);
    expect(ended.stdout).toMatch(/✓ write to `\/usr` +refused +(Read-only|Permission)/);
    expect(ended.stdout).toContain('\ntier B, by process\n');
    expect(ended.stdout).toMatch(
      /\n✓ tier C is proven: \d+ attacks, none came through\n {2}no gateway runs here, so no journal tells of it\n$/,
    );
    expect(ended.stdout).not.toContain('✗');
    for (const line of ended.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('gives scripts every attempt', async () => {
    const ended = await palyra('prove', '--json');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const unknown = {
      id: 'calls.unknown',
      says: 'make a call that nobody knows',
      expected: 'ENOSYS',
      observed: 'ENOSYS',
      holds: true,
    };
    expect(JSON.parse(ended.stdout)).toMatchObject({
      kind: 'sandbox_proof',
      works: true,
      isJournaled: false,
      verdict: { tier: 'C', steps: [{ findings: expect.arrayContaining([unknown]) }, {}] },
    });
  });
});

describe('palyra sandbox prove beside a gateway', () => {
  it('is done by the gateway, whose journal tells of it', async () => {
    await using home = await homeWith('');
    await using _daemon = await startDaemon(home.path);
    const environment = { PALYRA_HOME: home.path };
    const ended = await cli(['sandbox', 'prove'], { environment });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/✓ write to `\/usr` +refused +(Read-only|Permission)/);
    expect(ended.stdout).toMatch(
      /\n✓ tier C is proven: \d+ attacks, none came through\n {2}the gateway did this, and its journal tells of it\n$/,
    );
    const journal = await cli(['journal', 'tail', '--json'], { environment });
    expect(journal.stdout).toContain('"kind":"sandboxes.proven"');
  });
});

describe('palyra sandbox status', () => {
  it('tells what was proven, and by what, without proving it again', async () => {
    expect(JSON.parse((await palyra('status', '--json')).stdout)).toMatchObject({
      kind: 'sandbox_status',
      works: true,
      isKept: true,
      ffi: true,
      machine: { version: '0.1.0' },
      tiers: [
        { tier: 'A', state: 'not-built' },
        { tier: 'B', state: 'proven', step: 'process' },
        { tier: 'C', state: 'proven', step: 'bubblewrap' },
      ],
    });
  });

  it('shows people each tier and the machine', async () => {
    const ended = await palyra('status');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^– tier A is not built: it comes with skills\n/);
    expect(ended.stdout).toContain('✓ tier C is proven, by bubblewrap: ');
    expect(ended.stdout).toMatch(/\n {2}bubblewrap +\/usr\/bin\/bwrap, bubblewrap \d/);
  });
});

describe('palyra sandbox explain', () => {
  it('shows the plan of a call and starts nothing', async () => {
    const words = ['explain', 'process.run', '--arg', 'command=sh', '--workspace', project];
    const ended = await palyra(...words);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^process\.run runs in a sandbox of tier C\n✓ tier C is proven/);
    expect(ended.stdout).toMatch(/hidden: \.env/);
    expect(ended.stdout).toMatch(/\n {2}network +none\n/);
    expect((await readdir(project)).toSorted()).toEqual(['.env', '.git']);
    const [, hash = ''] = /\n {2}plan +([0-9a-f]{64})\n/.exec(ended.stdout) ?? [];
    expect(JSON.parse((await palyra(...words, '--json')).stdout)).toMatchObject({
      kind: 'sandbox_explanation',
      tier: 'C',
      explanation: { planHash: hash },
    });
  });

  it.each([
    [0, ['fs.read', '--arg', 'path=a.txt'], 'fs.read runs in no sandbox: '],
    [0, ['process.run', '--arg', 'command=true', '--arg', 'timeout_ms=500'], 'command    true'],
    [5, ['no.such'], 'error NOT_FOUND: there is no tool `no.such`'],
    [1, ['process.run'], 'error TOOL_ARGUMENTS_INVALID: `command` is missing'],
    [2, ['process.run', '--arg', 'command'], 'error INVALID_INPUT: `--arg` takes name=value'],
    [1, ['process.run', '--arg', 'command=no-such-program'], 'error SANDBOX_SPAWN_FAILED: '],
  ])('ends with %i after `%s`', async (code, words, text) => {
    const ended = await palyra('explain', '--workspace', project, ...words);
    expect(ended.code).toBe(code);
    expect(ended.stdout + ended.stderr).toContain(text);
  });
});
