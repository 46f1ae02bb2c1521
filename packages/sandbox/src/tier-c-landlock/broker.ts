import { closeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { PalyraError } from '@palyra/kernel';
import type { Libc } from '../libc.ts';
import type { Guarded } from '../tier-c-bubblewrap/guard/scan.ts';
import { ARM64_SYSCALLS } from '../seccomp/syscalls-arm64.ts';
import { X86_64_SYSCALLS } from '../seccomp/syscalls-x86-64.ts';
import { BROKER_PROGRAM } from './broker-program.ts';

export interface BrokerTerms {
  readonly workspace: string;
  readonly scratch: string;
  readonly guarded: readonly Guarded[];
  /** Whose files alone are touched. */
  readonly uid: number;
}

/** Sets modes and times for one cage. */
export interface Broker {
  /** For the keeper, which sends its listener through it. Contract: the caller closes it. */
  readonly theirs: number;
  /** Contract: after the last process of the cage has ended. */
  readonly ended: Promise<void>;
}

const SYSCALLS = process.arch === 'arm64' ? ARM64_SYSCALLS : X86_64_SYSCALLS;
const CALLS = {
  chmod: process.arch === 'arm64' ? -1 : X86_64_SYSCALLS.chmod,
  fchmod: SYSCALLS.fchmod,
  fchmodat: SYSCALLS.fchmodat,
  utimensat: SYSCALLS.utimensat,
};
const AF_UNIX = 1;
const STREAM_CLOSE_ON_EXEC = 0x8_0001;
/** For a loop and a few buffers. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 };

/** Contract: ends with the cage, or when nobody holds `theirs` any more. */
export function startBroker(libc: Libc, terms: BrokerTerms): Broker {
  const [ours, theirs] = socketPair(libc);
  const worker = new Worker(BROKER_PROGRAM, {
    eval: true,
    env: {},
    execArgv: ['--no-warnings'],
    resourceLimits: RESOURCES,
    workerData: { socket: ours, ...placesOf(terms), uid: terms.uid, calls: CALLS },
  });
  const ended = new Promise<void>((resolve) => {
    // Without it every call that it is asked for is refused: nothing is let through instead.
    worker.once('error', () => {});
    worker.once('exit', () => {
      closeSync(ours);
      resolve();
    });
  });
  return { theirs, ended };
}

/** As the kernel spells them: byte for byte. */
function placesOf({ workspace, scratch, guarded }: BrokerTerms) {
  const spelt = (path: string) => Buffer.from(path).toString('latin1');
  return {
    roots: [spelt(workspace), spelt(scratch)],
    guarded: guarded.map(({ path, how }) => ({
      path: spelt(`${workspace}/${path}`),
      isPinned: how === 'pinned',
    })),
  };
}

function socketPair(libc: Libc): readonly [number, number] {
  const ends = new Int32Array(2);
  const bytes = new Uint8Array(ends.buffer);
  const made = libc.syscall(SYSCALLS.socketpair, [AF_UNIX, STREAM_CLOSE_ON_EXEC, 0, bytes]);
  const [ours = -1, theirs = -1] = ends;
  if (made === 0) return [ours, theirs];
  throw new PalyraError('SANDBOX_FAILED', 'the kernel refused `socketpair`');
}
