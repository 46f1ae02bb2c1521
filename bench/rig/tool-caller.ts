import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandboxes } from '@palyra/sandbox';
import { provenSandboxes, requestFor } from './sandbox-site.ts';
import { SILENT } from './sandbox-ways.ts';
import { type Asked, type Told, isAsked } from './tool-callers.ts';

/** Stands for a daemon of a certain size, whose sandboxes a process beside it makes. */
async function main(): Promise<void> {
  const [megabytes = '0', folder = '', workspace = ''] = process.argv.slice(2);
  // What it starts has the other processor: who is put aside for somebody else's work has not stood still.
  keepTo(CAGES_PROCESSOR);
  await using sandboxes = await provenSandboxes({ folder });
  keepTo(OWN_PROCESSOR);
  const acts = actsOf(sandboxes, workspace);
  await acts.call();
  const pieces = grownTo(Number(megabytes));
  const left = once(process, 'disconnect');
  process.on('message', (asked) => {
    if (isAsked(asked)) void measure(acts[asked]).then((told) => process.send?.(told));
  });
  process.send?.({ rssMb: process.memoryUsage.rss() / 1e6 });
  await left;
  // Held until the end: what nobody holds is nobody's size.
  pieces.splice(0);
}

const OWN_PROCESSOR = 0;
const CAGES_PROCESSOR = 1;

function keepTo(processor: number): void {
  if (availableParallelism() < 2 && processor !== OWN_PROCESSOR) return;
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', `${processor}`, `${process.pid}`]);
}

const PIECE_BYTES = 16 * 1024 * 1024;
/** Until the next cage is warm. */
const PAUSE_MS = 40;
const MOST_TRIES = 20;

/** Contract: false when it does not count. */
type Act = () => Promise<boolean>;

/** Every page of it was written. */
function grownTo(limitMb: number): Buffer[] {
  const pieces: Buffer[] = [];
  while (process.memoryUsage.rss() / 1e6 < limitMb) pieces.push(Buffer.alloc(PIECE_BYTES, 1));
  return pieces;
}

function actsOf(sandboxes: Sandboxes, workspace: string): Readonly<Record<Asked, Act>> {
  const request = requestFor({ workspace }, { executable: 'echo', arguments: ['hi'] });
  let callMs = 0;
  return {
    call: async () => {
      const startedAt = performance.now();
      const { kind, fault, posture } = await sandboxes.run(request, SILENT);
      if (kind !== 'exited') throw new Error(`a cage failed: ${fault?.reason ?? kind}`);
      callMs = performance.now() - startedAt;
      return posture.isWarm;
    },
    spawn: async () => {
      const child = spawn('/bin/echo', ['hi'], { env: {}, stdio: ['ignore', 'pipe', 'ignore'] });
      await Promise.all([text(child.stdout), once(child, 'close')]);
      return true;
    },
    rest: async () => {
      await sleep(callMs);
      return true;
    },
  };
}

async function measure(act: Act): Promise<Told> {
  const { ms, cpuMs } = await untilItCounts(async () => {
    const before = process.threadCpuUsage();
    const startedAt = performance.now();
    const counts = await act();
    const elapsedMs = performance.now() - startedAt;
    const { user, system } = process.threadCpuUsage(before);
    return counts ? { ms: elapsedMs, cpuMs: (user + system) / 1_000 } : undefined;
  });
  return { ms, cpuMs, blockMs: await untilItCounts(() => longestTurn(act)) };
}

/** Of an event loop that never sleeps. Contract: `undefined` when it does not count. */
async function longestTurn(act: Act): Promise<number | undefined> {
  let isOver = false;
  let longestMs = 0;
  let lastAt = performance.now();
  const turn = () => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - lastAt);
    lastAt = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const counts = await act();
  isOver = true;
  return counts ? Math.max(longestMs, performance.now() - lastAt) : undefined;
}

async function untilItCounts<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    await sleep(PAUSE_MS);
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new Error(`no cage was warm in ${MOST_TRIES} tries`);
}

await main();
