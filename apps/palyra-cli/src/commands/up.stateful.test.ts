import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN, cli, endOf, startCli } from '../../testing/cli.ts';
import { homeWith } from '../../testing/daemon.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palyra-up-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The CLI looks for its daemon beside the path it was started by; there stands what a test needs. */
async function mainBeside(name: string, daemon: string): Promise<string> {
  const main = join(folder, name, 'palyra.cjs');
  await mkdir(dirname(main));
  await symlink(MAIN, main);
  await writeFile(join(dirname(main), 'palyrad.cjs'), daemon);
  return main;
}

const STOPPING = '\nstopping; Ctrl-C again kills it\n';
const STARTS = `process.stderr.write('starting\\n'); setInterval(() => {}, 1000);`;

/** Presses Ctrl-C as soon as the daemon has begun to start. */
async function interrupted(main: string, words: readonly string[]) {
  const environment = { PALYRA_HOME: join(folder, 'home') };
  const child = startCli(words, { main, environment });
  const ended = endOf(child);
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  return await ended;
}

describe('Ctrl-C in `palyra up`', () => {
  it('is a good end also for a daemon that does not listen to signals yet', async () => {
    const main = await mainBeside('deaf', STARTS);
    const ended = await interrupted(main, ['up']);
    expect(ended).toEqual({ code: 0, stdout: '', stderr: `starting\n${STOPPING}` });
  });

  it('announces nothing that becomes ready while it is stopped', async () => {
    const late = `process.on('SIGTERM', () => process.stdout.write('ready x\\nhealth {}\\n', () => process.exit(0)));`;
    const main = await mainBeside('late', `${late}${STARTS}`);
    const ended = await interrupted(main, ['up']);
    expect(ended).toEqual({ code: 0, stdout: '', stderr: `starting\n${STOPPING}` });
  });

  it('does not hide that the daemon failed to stop', async () => {
    const failing = `process.on('SIGTERM', () => process.exit(7));`;
    const main = await mainBeside('failing', `${failing}${STARTS}`);
    expect((await interrupted(main, ['up'])).code).toBe(7);
  });

  it('is told to a script as a good end', async () => {
    const main = await mainBeside('script', STARTS);
    const ended = await interrupted(main, ['up', '--json']);
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toEqual({ format: 'palyra.cli.v1', kind: 'ended', exit: 0 });
  });

  it('comes after the daemon has said how it is, which nobody was asked for in a call', async () => {
    const says = `process.stdout.write('ready x\\nhealth {"version":"9.8.7"}\\n');`;
    const main = await mainBeside('telling', `${says}setInterval(() => {}, 1000);`);
    const child = startCli(['up', '--json'], { main, environment: { PALYRA_HOME: folder } });
    const ended = endOf(child);
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const [up, end] = stdout.trim().split('\n');
    expect(JSON.parse(up ?? '')).toMatchObject({ kind: 'up', health: { version: '9.8.7' } });
    expect(JSON.parse(end ?? '')).toMatchObject({ kind: 'ended', exit: 0 });
  });

  it.each([100, 250, 400, 600])('ends the real daemon calmly after %i ms', async (ms) => {
    await using home = await homeWith('');
    const child = startCli(['up'], { environment: { PALYRA_HOME: home.path } });
    const ended = endOf(child);
    await delay(ms);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    // Before it listens to signals it has started nothing, and the signal itself ends it.
    if (code === null) expect(child.signalCode).toBe('SIGINT');
    else expect(code).toBe(0);
    expect(stderr).not.toMatch(/ended by|error/);
  });
});

describe('`palyra up --json` that fails', () => {
  it('answers with the error of the daemon', async () => {
    await using home = await homeWith('[nope]\nx = 1\n');
    const ended = await cli(['up', '--json'], { environment: { PALYRA_HOME: home.path } });
    expect(ended.code).toBe(6);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      kind: 'error',
      error: { code: 'CONFIG_UNKNOWN_KEY', message: expect.stringContaining('`nope`'), exit: 6 },
    });
    expect(ended.stderr).toContain('palyrad: CONFIG_UNKNOWN_KEY: ');
  });

  it('answers with an error also when the daemon says nothing', async () => {
    const main = await mainBeside('silent', 'process.exit(1);');
    const ended = await cli(['up', '--json'], { main, environment: { PALYRA_HOME: folder } });
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      kind: 'error',
      error: { code: 'UNEXPECTED', message: 'the daemon failed', exit: 1 },
    });
  });
});
