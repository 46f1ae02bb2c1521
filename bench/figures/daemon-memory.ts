import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../tools/run.ts';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { MEMORY, type Readings, interleave } from '../harness.ts';
import { NODE, startProgram, stopProgram, timeProgram } from '../rig/child.ts';
import { daemonHome } from '../rig/home.ts';
import { megabytes } from '../rig/processes.ts';
import { startDaemon } from '../rig/server.ts';

const DAEMON = 'palyrad, resident';
const DAEMON_SHARE = 'palyrad, proportional';
const CALLED = 'palyrad after its first call, resident';
const IDLE = 'idle node, resident';
const IDLE_SHARE = 'idle node, proportional';

export const daemonMemory: Figure = {
  says: 'Memory of a daemon that is ready and has nothing to do, against a Node that waits.',
  targets: [
    { kind: 'value', subject: DAEMON, limit: { atMost: 110 } },
    { kind: 'ratio', subject: DAEMON, baseline: IDLE, limit: { atMost: 2.2 } },
  ],
  measure: async (scale) => {
    const settleMs = scale === 'small' ? 100 : 4_000;
    const run = await interleave({
      title: 'idle memory',
      quantity: MEMORY,
      subjects: [() => readDaemon(settleMs), () => readIdleNode(settleMs)],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 0, rounds: 3 }),
    });
    const notes = [
      `Read after ${settleMs / 1_000} s of rest. Resident memory counts the pages of the Node binary in full, proportional memory counts pages that processes share by halves, thirds and so on. The first call loads what judges calls, and it stays; what a daemon takes then has no target, and is told all the same.`,
    ];
    return { runs: [run], notes };
  },
};

async function readDaemon(settleMs: number): Promise<Readings> {
  await using home = await daemonHome();
  await using daemon = await startDaemon(home);
  await sleep(settleMs);
  const untouched = {
    [DAEMON]: await megabytes(daemon.pid, 'Rss'),
    [DAEMON_SHARE]: await megabytes(daemon.pid, 'Pss'),
  };
  await timeProgram({
    file: NODE,
    args: [join(ROOT, 'dist/palyra.cjs'), 'status'],
    environment: { PALYRA_HOME: home.path },
  });
  await sleep(settleMs);
  return { ...untouched, [CALLED]: await megabytes(daemon.pid, 'Rss') };
}

async function readIdleNode(settleMs: number): Promise<Readings> {
  const child = startProgram({ file: NODE, args: ['-e', 'setInterval(() => {}, 1e6)'] }, 'ignore');
  try {
    await sleep(settleMs);
    const pid = child.pid ?? 0;
    return { [IDLE]: await megabytes(pid, 'Rss'), [IDLE_SHARE]: await megabytes(pid, 'Pss') };
  } finally {
    await stopProgram(child);
  }
}
