import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { launcherText } from './launcher.ts';

interface Launched {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const PRETEND = (version: string) =>
  `Object.defineProperty(process.versions, 'node', { value: '${version}' });`;

describe('the launcher', () => {
  it(
    'says in one sentence that this is the wrong Node, and stops',
    verifies('setup:wrong-runtime-says-so'),
    async () => {
      const { code, stdout, stderr } = await launch(PRETEND('20.20.2'));
      expect(stderr).toBe(
        'palyra: this is Node 20.20.2 and Palyra is made for Node 26; start it with `./palyra`, which brings the right one\n',
      );
      expect(stdout).toBe('');
      expect(code).toBe(78);
    },
  );

  it('starts the program with the right Node', async () => {
    expect(await launch('')).toEqual({ code: 0, stdout: 'started\n', stderr: '' });
  });

  it('can be read by a Node that knows only old JavaScript', () => {
    expect(launcherText('palyra')).not.toMatch(/=>|\b(?:const|let|class|async|import)\b|\?\.|\$\{/);
  });
});

async function launch(before: string): Promise<Launched> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra launch-'));
  mkdirSync(join(folder.path, 'program'));
  writeFileSync(join(folder.path, 'before.cjs'), before);
  writeFileSync(join(folder.path, 'palyra.cjs'), launcherText('palyra'));
  writeFileSync(join(folder.path, 'program/palyra.cjs'), "process.stdout.write('started\\n');");
  const args = ['--require', join(folder.path, 'before.cjs'), join(folder.path, 'palyra.cjs')];
  return await new Promise((resolve) => {
    const child = execFile(process.execPath, args, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
