import { Worker } from 'node:worker_threads';
import { type Libc, openLibc } from '../libc.ts';
import { KEEPER } from '../tier-c-landlock/keeper/keeper-elf.ts';

const [PRCTL, SETITIMER] = process.arch === 'arm64' ? [167, 103] : [157, 38];
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;
const NO_SIGNAL = 0;
const ITIMER_REAL = 0;
/** Nothing that this process does keeps it from its timers that long. */
const HANGS_S = 60;
const BEAT_MS = 10_000;

/** What becomes of this process when whoever started it ends. */
export interface DyingWithParent {
  /**
   * From now on it ends what it has started first: a sandbox that is just being made would be left behind.
   * Contract: resolves before anything is started, and is called as late as that; may be called again.
   */
  readonly beforeStart: () => Promise<void>;
}

/**
 * For the process that makes sandboxes, once and first. Whoever started it holds the other end of
 * `lifeline`, a descriptor of this process, and writes nothing. Until something is started, the kernel
 * ends this process with its parent; from then on a thread that does nothing else hears of that end,
 * however busy the others are, and ends everything. What is left on the disk the next one takes away.
 * Contract: throws SANDBOX_UNAVAILABLE; elsewhere than on Linux the end of the channel has to do.
 */
export function dieWithParent(lifeline: number): DyingWithParent {
  if (process.platform !== 'linux') return { beforeStart: () => Promise.resolve() };
  const libc = openLibc();
  const hearBy = (signal: number) => libc.syscall(PRCTL, [PR_SET_PDEATHSIG, signal]);
  hearBy(SIGKILL);
  dieWhenHanging(libc);
  const watching = watch(lifeline);
  return {
    beforeStart: async () => {
      await watching;
      // No sooner: a process that has started nothing need not wait for its thread to end.
      hearBy(NO_SIGNAL);
    },
  };
}

/** Contract: resolves when the thread listens. Without it nobody would hear of the end, so that we end with it. */
async function watch(lifeline: number): Promise<void> {
  const watcher = new Worker(WATCHER, {
    eval: true,
    env: {},
    workerData: lifeline,
    resourceLimits: WATCHER_LIMITS,
  });
  watcher.unref();
  watcher.once('error', (reason) => {
    throw reason;
  });
  watcher.once('exit', () => process.exit(1));
  await new Promise<void>((resolve) => watcher.once('message', () => resolve()));
}

/** It holds next to nothing. */
const WATCHER_LIMITS = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

/** The other thread may go on starting some, but not for ever. */
const MOST_LOOKS = 100;

/**
 * As text, because a bundle has no file that a thread could be started from. Each child is the first of
 * a group of its own, in which a sandbox is until it is made. One that the other thread starts just now
 * is told nothing any more, and ends by that; if it had come as far as to die with us, it could do so between the
 * birth of its other half and its first word. So it is looked until nobody has come, and the end follows at once.
 * A keeper is left alone: our end is the end of all that it keeps, and nobody else could find them. Whoever
 * takes its name dies with us by the kernel's hand. The end is one by SIGKILL: an orderly one writes what was
 * compiled to the disk first, which takes as long as it takes.
 */
const WATCHER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { readFileSync } = require('node:fs');
  const { Socket } = require('node:net');
  const kill = (whom) => {
    try {
      process.kill(whom, 'SIGKILL');
    } catch {
      // It has ended, or has no group of its own.
    }
  };
  const children = () =>
    readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').split(' ').filter(Boolean);
  const isKeeper = (pid) => {
    try {
      return readFileSync('/proc/' + pid + '/cmdline', 'latin1') === ${JSON.stringify(`${KEEPER}\0`)};
    } catch {
      return false;
    }
  };
  const lifeline = new Socket({ fd: workerData, readable: true, writable: false });
  lifeline.on('error', () => {});
  lifeline.once('close', () => {
    const met = new Set();
    for (let left = ${MOST_LOOKS}; left > 0; left -= 1) {
      const come = children().filter((pid) => !met.has(pid));
      if (come.length === 0) break;
      for (const pid of come) {
        met.add(pid);
        if (isKeeper(pid)) continue;
        kill(-pid);
        kill(pid);
      }
    }
    kill(process.pid);
  });
  lifeline.resume();
  parentPort.postMessage('listens');
`;

/** Whoever hangs hears of nothing: then the kernel's alarm, put off as long as we live, is the end. */
function dieWhenHanging(libc: Libc): void {
  const beat = () => libc.syscall(SETITIMER, [ITIMER_REAL, inSeconds(HANGS_S), 0]);
  beat();
  setInterval(beat, BEAT_MS).unref();
}

/** As the kernel reads it: an interval of nothing, and then the time until it rings, once. */
function inSeconds(seconds: number): Uint8Array {
  const words = new BigInt64Array([0n, 0n, BigInt(seconds), 0n]);
  return new Uint8Array(words.buffer);
}
