import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '@palyra/kernel';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { CLI, type Ended } from './harness.ts';

/** A user who has never used Palyra, and whose temporary folder is empty, too. */
async function newcomer() {
  const root = await mkdtempDisposable('/tmp/palyra-newcomer-');
  const [home, temporary] = [join(root.path, 'home'), join(root.path, 'tmp')];
  await Promise.all([mkdir(home), mkdir(temporary)]);
  return { home, temporary, [Symbol.asyncDispose]: () => root.remove() };
}

async function demo(
  { home, temporary }: { readonly home: string; readonly temporary: string },
  ...options: readonly string[]
): Promise<Ended> {
  const child = spawn(process.execPath, [CLI, 'demo', ...options], {
    cwd: home,
    env: {
      HOME: home,
      TMPDIR: temporary,
      PATH: process.env['PATH'] ?? '',
      NO_COLOR: '1',
      // Another gateway of the user, which the demo has to leave alone.
      PALYRA_GATEWAY: 'elsewhere',
      PALYRA_POLICY_MODE: 'read-only',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

describe('palyra demo', () => {
  it(
    'tells its story by itself, and leaves nothing behind',
    verifies('demo:as-told', 'demo:leaves-nothing'),
    async () => {
      await using user = await newcomer();
      const { code, stdout, stderr } = await demo(user, '--auto', '--json');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const told: unknown = JSON.parse(stdout);
      expect(isJsonObject(told) && told['kind']).toBe('demo');
      expect(told).toMatchObject({
        exit: 0,
        steps: [
          { step: 'allowed-read', isAsTold: true },
          { step: 'approved-command', isAsTold: true },
          { step: 'denied-exfiltration', isAsTold: true },
          { step: 'prompt-injection', isAsTold: true },
          { step: 'journal-verified', isAsTold: true },
        ],
      });
      expect(await readdir(user.home)).toEqual([]);
      expect(await readdir(user.temporary)).toEqual([]);
    },
  );

  it('starts nothing where nobody can answer', verifies('demo:leaves-nothing'), async () => {
    await using user = await newcomer();
    const { code, stderr } = await demo(user);
    expect(code).toBe(2);
    expect(stderr).toContain('`palyra demo --auto` answers its own');
    expect(await readdir(user.temporary)).toEqual([]);
  });
});
