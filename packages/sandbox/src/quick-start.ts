import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { PalyraError } from '@palyra/kernel';
import type { Stdio } from './child-streams.ts';
import type { Libc } from './libc.ts';
import { outOfDescriptors } from './out-of-descriptors.ts';
import { openSpawn } from './posix-spawn.ts';
import { socketPair } from './socket-pair.ts';

/** A process of ours. */
export interface Child extends Stdio {
  /** Absent for one that could not be started, which has ended. */
  readonly pid: number | undefined;
  /** Contract: does nothing when it has ended. */
  kill(): void;
  /** Resolves when it is no more. */
  readonly hasEnded: Promise<void>;
}

export type QuickOrder = QuickStreams &
  (
    | { readonly file: string }
    /** By its descriptor, which stays open. */
    | { readonly program: number }
  );

interface QuickStreams {
  /** From its own name on. */
  readonly words: readonly string[];
  /** What each number is in it, from 0 on. */
  readonly stdio: readonly (number | 'pipe' | 'ignore')[];
  /** One of the pipes, which nothing that it starts keeps open: its end tells of the end. */
  readonly lifeline: number;
}

/** Contract: throws SANDBOX_FAILED when there is no such process. */
export type QuickStart = (order: QuickOrder) => Child;

const SYSCALLS = process.arch === 'arm64' ? { fcntl: 25, wait4: 260 } : { fcntl: 72, wait4: 61 };
const DUPLICATE_CLOSE_ON_EXEC = 1030;
/** Larger than any number that a child is given: none is overwritten before it was handed on. */
const FIRST_SAFE = 256;
const WITHOUT_WAITING = 1;
const REAP_PAUSE_MS = 1;

/**
 * Starts programs without a copy of ourselves, which Node makes each time and which takes it longer than all
 * the rest. The environment is empty; nothing is inherited but what is named, and what is not close-on-exec.
 */
export function openQuickStart(libc: Libc): QuickStart {
  const spawn = openSpawn();
  return (order) => {
    const { words, stdio, lifeline } = order;
    using theirs = new Descriptors(libc);
    using ours = new DisposableStack();
    const mine = new Map<number, number>();
    const given = stdio.map((wish, number) => {
      if (typeof wish === 'number') return theirs.lift(wish);
      if (wish === 'ignore') return theirs.keep(openSync('/dev/null', 'r+'));
      const [own, its] = socketPair(libc);
      mine.set(number, ours.adopt(own, closeSync));
      return theirs.keep(its);
    });
    const file = 'file' in order ? order.file : `/proc/self/fd/${theirs.lift(order.program)}`;
    const pid = spawn({ file, words, descriptors: given });
    if (pid === undefined) {
      throw new PalyraError('SANDBOX_FAILED', 'the kernel started no process for the sandbox');
    }
    ours.move();
    const sockets = stdio.map((_, number) => socketOn(mine.get(number)));
    let isReaped = false;
    const ended = async () => {
      await new Promise<void>((resolve) => sockets[lifeline]?.once('close', () => resolve()));
      while (libc.syscall(SYSCALLS.wait4, [pid, 0, WITHOUT_WAITING, 0]) === 0) {
        await pause(REAP_PAUSE_MS);
      }
      isReaped = true;
      // As Node does: whoever it left behind hears that nobody will tell them anything.
      sockets[0]?.destroy();
    };
    const hasEnded = ended();
    // INVARIANT: as long as nobody has reaped it the number is nobody else's.
    const kill = () => void (isReaped || process.kill(pid, 'SIGKILL'));
    return { pid, stdio: sockets, kill, hasEnded };
  };
}

function socketOn(fd: number | undefined): Socket | null {
  return fd === undefined ? null : new Socket({ fd, readable: true, writable: true });
}

/** What a child gets, under numbers that it does not have; closed here when it has them. */
class Descriptors implements Disposable {
  readonly #libc: Libc;
  readonly #open: number[] = [];

  constructor(libc: Libc) {
    this.#libc = libc;
  }

  /** Contract: what is given stays open too. */
  lift(descriptor: number): number {
    const words = [descriptor, DUPLICATE_CLOSE_ON_EXEC, FIRST_SAFE];
    const lifted = this.#libc.syscall(SYSCALLS.fcntl, words);
    // It is open: there is no other reason.
    if (lifted < 0) throw outOfDescriptors();
    this.#open.push(lifted);
    return lifted;
  }

  keep(descriptor: number): number {
    try {
      return this.lift(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  [Symbol.dispose](): void {
    for (const descriptor of this.#open.splice(0)) closeSync(descriptor);
  }
}
