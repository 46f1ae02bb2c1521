import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopProgram } from './child.ts';
import { HOST, freePort, isListening } from './ports.ts';

/** How others lead a sandbox to its proxy: one socat inside, one outside, a socket in between. */
export interface Bridge extends AsyncDisposable {
  readonly port: number;
}

const LISTEN_LIMIT_MS = 10_000;

/** Contract: `undefined` on a machine without socat. */
export async function socatBridge(toPort: number): Promise<Bridge | undefined> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'palyra-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const middle = join(folder, 'bridge');
  const port = await freePort();
  const ends = [
    [`UNIX-LISTEN:${middle},fork,backlog=128`, `TCP:${HOST}:${toPort},nodelay`],
    [
      `TCP-LISTEN:${port},bind=${HOST},fork,reuseaddr,nodelay,backlog=128`,
      `UNIX-CONNECT:${middle}`,
    ],
  ];
  for (const words of ends) {
    const child = await started(words);
    if (child === undefined) return undefined;
    stack.defer(() => stopProgram(child));
  }
  await untilListening(port);
  const held = stack.move();
  return { port, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

async function started(words: readonly string[]): Promise<ChildProcess | undefined> {
  const child = spawn('socat', words, { stdio: 'ignore' });
  try {
    await once(child, 'spawn');
    return child;
  } catch {
    // It is not installed, and nobody has to have it.
    return undefined;
  }
}

async function untilListening(port: number): Promise<void> {
  const giveUpAt = performance.now() + LISTEN_LIMIT_MS;
  while (!(await isListening(port))) {
    if (performance.now() > giveUpAt) throw new Error('socat does not listen');
    await sleep(10);
  }
}
