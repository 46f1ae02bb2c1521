import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { factsOf } from '../tier-c-bubblewrap/processes.ts';

const started = new Set<number>();
// One that outlives a test that fails is stopped, and would keep whoever reads our output waiting.
afterEach(() => {
  for (const pid of [...started].filter(isAlive)) process.kill(pid, 'SIGKILL');
  started.clear();
});

/** Contract: the first is the process that dies with its parent. */
async function orphan(children: 'none' | 'one', work: 'idle' | 'busy' | 'stopped') {
  const script = fileURLToPath(import.meta.resolve('./parent.fixture.ts'));
  const parent = spawn(process.execPath, ['--no-warnings', script, 'parent', children, work], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
  const pids = String(line).trim().split(' ').map(Number);
  for (const pid of pids) started.add(pid);
  if (work === 'stopped') process.kill(firstOf(pids), 'SIGSTOP');
  const exited = once(parent, 'exit');
  parent.kill('SIGKILL');
  await exited;
  return pids;
}

function firstOf([first]: readonly number[]): number {
  // No number stands in for one: to kill 0 or -1 is to kill many.
  if (first === undefined) throw new Error('it was not started');
  return first;
}

function isAlive(pid: number): boolean {
  return factsOf(pid)?.isDead === false;
}

async function untilGone(pids: readonly number[]): Promise<readonly number[]> {
  const deadline = performance.now() + 5000;
  while (pids.some(isAlive) && performance.now() < deadline) await pause(1);
  return pids.filter(isAlive);
}

it('a process that has started nothing ends with its parent, whatever it is busy with', async () => {
  expect(await untilGone(await orphan('none', 'stopped'))).toEqual([]);
});

it('a process that has started something ends with it, however busy it is', async () => {
  expect(await untilGone(await orphan('one', 'idle'))).toEqual([]);
  expect(await untilGone(await orphan('one', 'busy'))).toEqual([]);
});

it('a process that has started something is not ended before that', async () => {
  const pids = await orphan('one', 'stopped');
  expect(pids.filter(isAlive)).toEqual(pids);
  process.kill(firstOf(pids), 'SIGCONT');
  expect(await untilGone(pids)).toEqual([]);
});
