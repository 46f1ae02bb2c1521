import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, symlinkSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../run.ts';
import { recordStart } from './record-start.ts';

describe('the daemon that is started from its record', () => {
  it('logs nothing but JSON, also where a service manager wants to hear of it', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra recorded-'));
    const dist = join(folder.path, 'dist');
    for (const path of ['palyrad.cjs', 'program']) {
      cpSync(join(ROOT, 'dist', path), join(dist, path), { recursive: true });
    }
    symlinkSync(join(ROOT, 'dist/console'), join(dist, 'console'));
    await recordStart('palyrad', dist);

    const lines = await logOf(join(dist, 'palyrad.cjs'), join(folder.path, 'home'));

    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
    expect(lines.at(-1)).toContain('"message":"stopped"');
  });
});

/** Of one start, from being ready to the end. */
async function logOf(program: string, home: string): Promise<readonly string[]> {
  const daemon = spawn(process.execPath, [program], {
    env: {
      PALYRA_HOME: home,
      PALYRA_TRANSPORT_LISTEN: '127.0.0.1:0',
      PALYRA_TRANSPORT_CONSOLE: 'localhost:0',
      NOTIFY_SOCKET: join(home, 'nobody'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = text(daemon.stderr);
  const ended = once(daemon, 'close');
  await Promise.race([once(daemon.stdout, 'data'), ended]);
  daemon.kill('SIGTERM');
  await ended;
  return (await said).trimEnd().split('\n');
}
