import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from './harness.ts';

const run = promisify(execFile);

/** Everything that a clone of this tree would contain, in a path that shells get wrong. */
async function cloneInto(directory: string): Promise<void> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await run('git', list, { cwd: ROOT, maxBuffer: 16_777_216 });
  for (const file of stdout.split('\0').filter((name) => name !== '')) {
    const target = join(directory, file);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(ROOT, file), target);
  }
}

describe('a fresh clone', () => {
  let base: string;
  let clone: string;
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'palyra-clone-'));
    clone = join(base, 'a path with a space');
    await cloneInto(clone);
    const home = join(base, 'home');
    await mkdir(home, { mode: 0o700 });
    // The search path of the person, without the tools that this test run brought along.
    const path = (process.env['PATH'] ?? '')
      .split(':')
      .filter((directory) => !directory.includes('node_modules'))
      .join(':');
    environment = {
      ...process.env,
      HOME: home,
      PATH: path,
      NO_COLOR: '1',
      // The usual ports may be taken by a gateway that this machine really runs.
      PALYRA_TRANSPORT_LISTEN: '127.0.0.1:0',
      PALYRA_TRANSPORT_CONSOLE: 'localhost:0',
    };
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  it(
    'sets itself up on first use, and does nothing of it the second time',
    // Everything is installed and built, on a machine that is busy with other tests.
    { ...verifies('setup:two-commands'), timeout: 600_000 },
    async () => {
      const palyra = join(clone, 'palyra');
      const first = await run(palyra, ['--version'], { env: environment, cwd: base });
      expect(first.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
      expect(first.stderr).toMatch(/npm packages.*\n.*programs and console/s);
      const second = await run(palyra, ['--version'], { env: environment, cwd: base });
      expect(second).toMatchObject({ stdout: first.stdout, stderr: '' });

      const up = spawn(palyra, ['up'], { env: environment, cwd: base });
      // Also when the test fails: a gateway that is left behind holds its ports.
      onTestFinished(() => void up.kill('SIGKILL'));
      let said = '';
      up.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
      while (!said.includes('Ctrl-C')) await once(up.stdout, 'data');
      expect(said).toMatch(/devices +https:\/\/127\.0\.0\.1:\d+/);
      expect(said).toMatch(/console +http:\/\/localhost:\d+/);
      expect(said).toMatch(/not a language model/);
      expect(said).toMatch(/missing/);

      const story = spawn(palyra, ['run', 'hello'], { env: environment, cwd: base });
      let told = '';
      story.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
      const asked = /waits until .* UTC:\s+([0-9A-Z]{26})/;
      while (!asked.test(told)) await once(story.stdout, 'data');
      const answer = ['approvals', 'deny', asked.exec(told)?.[1] ?? '', '--reason', 'not today'];
      await run(palyra, answer, { env: environment, cwd: base });
      await once(story, 'close');
      expect(told).toMatch(/no rule allows/);
      const verified = await run(palyra, ['journal', 'verify'], { env: environment, cwd: base });
      expect(verified.stdout).toMatch(/intact/);

      up.kill('SIGINT');
      const [code] = await once(up, 'exit');
      expect(code).toBe(0);
    },
  );
});
