import { type Libc, openLibc } from '../libc.ts';
import { childrenOf } from '../tier-c-bubblewrap/processes.ts';

const [PRCTL, SETITIMER] = process.arch === 'arm64' ? [167, 103] : [157, 38];
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;
const SIGTERM = 15;
const ITIMER_REAL = 0;
/** Nothing that this process does keeps it from its timers that long. */
const HANGS_S = 60;
const BEAT_MS = 10_000;

/** What becomes of this process when whoever started it ends. */
export interface DyingWithParent {
  /**
   * From now on it ends what it has started first: a sandbox that is just being made would be left behind.
   * Contract: before anything is started, and as late as that; may be called again.
   */
  readonly beforeStart: () => void;
}

/**
 * For the process that makes sandboxes, once and first: the kernel ends it with whoever started it, at
 * once as long as it has started nothing, however busy it is; later it is told, and ends with everything
 * that it has started. What it leaves on the disk the next one takes away.
 * Contract: throws SANDBOX_UNAVAILABLE; elsewhere than on Linux the end of the channel has to do.
 */
export function dieWithParent(): DyingWithParent {
  if (process.platform !== 'linux') return { beforeStart: () => {} };
  const libc = openLibc();
  process.once('SIGTERM', () => {
    for (const pid of childrenOf(process.pid)) endWithGroup(pid);
    // At once: an orderly end writes what was compiled to the disk first, which takes as long as it takes.
    process.kill(process.pid, 'SIGKILL');
  });
  const hearBy = (signal: number) => libc.syscall(PRCTL, [PR_SET_PDEATHSIG, signal]);
  hearBy(SIGKILL);
  dieWhenHanging(libc);
  return { beforeStart: () => void hearBy(SIGTERM) };
}

/** Each is the first of a group of its own, in which a sandbox is until it is made. */
function endWithGroup(pid: number): void {
  for (const whom of [-pid, pid]) {
    try {
      process.kill(whom, 'SIGKILL');
    } catch {
      // It has ended, or has no group of its own.
    }
  }
}

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
