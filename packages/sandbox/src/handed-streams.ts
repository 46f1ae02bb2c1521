import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stdio } from './child-streams.ts';
import type { Libc } from './libc.ts';
import { outOfDescriptors } from './out-of-descriptors.ts';
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

export interface Streams {
  /** What each number is in it, from 0 on. */
  readonly stdio: readonly (number | 'pipe' | 'ignore')[];
  /** One of the pipes, which nothing that it starts keeps open: its end tells of the end. */
  readonly lifeline: number;
}

const SYSCALLS = process.arch === 'arm64' ? { fcntl: 25, wait4: 260 } : { fcntl: 72, wait4: 61 };
const DUPLICATE_CLOSE_ON_EXEC = 1030;
/** Larger than any number that a child is given: none is overwritten before it was handed on. */
const FIRST_SAFE = 256;
const WITHOUT_WAITING = 1;
const REAP_PAUSE_MS = 1;

/** What a process is given, before there is one. Contract: closed when disposed of, ours too unless it was handed on. */
export class HandedStreams implements Disposable {
  /** Its ends, under numbers that it does not have, in the order of those that it will. */
  readonly given: readonly number[];
  readonly #libc: Libc;
  readonly #streams: Streams;
  readonly #theirs: number[] = [];
  readonly #mine = new Map<number, number>();
  readonly #undo = new DisposableStack();

  /** Contract: throws when there are no descriptors left; those of the caller stay open. */
  constructor(libc: Libc, streams: Streams) {
    this.#libc = libc;
    this.#streams = streams;
    this.#undo.defer(() => this.#closeTheirs());
    try {
      this.given = streams.stdio.map((wish, number) => this.#open(wish, number));
    } catch (error) {
      this.#undo.dispose();
      throw error;
    }
  }

  /** Under such a number, too. Contract: what is lifted stays open. */
  lift(descriptor: number): number {
    const words = [descriptor, DUPLICATE_CLOSE_ON_EXEC, FIRST_SAFE];
    const lifted = this.#libc.syscall(SYSCALLS.fcntl, words);
    // It is open: there is no other reason.
    if (lifted < 0) throw outOfDescriptors();
    this.#theirs.push(lifted);
    return lifted;
  }

  /** Contract: once, when that process has them; ours are its streams from then on. */
  handOn(pid: number): Child {
    this.#undo.move();
    this.#closeTheirs();
    const { stdio, lifeline } = this.#streams;
    const sockets = stdio.map((_, number) => socketOn(this.#mine.get(number)));
    let isReaped = false;
    const ended = async () => {
      await new Promise<void>((resolve) => sockets[lifeline]?.once('close', () => resolve()));
      await reap(this.#libc, pid);
      isReaped = true;
      // As Node does: whoever it left behind hears that nobody will tell them anything.
      sockets[0]?.destroy();
    };
    const hasEnded = ended();
    // INVARIANT: as long as nobody has reaped it the number is nobody else's.
    const kill = () => void (isReaped || process.kill(pid, 'SIGKILL'));
    return { pid, stdio: sockets, kill, hasEnded };
  }

  [Symbol.dispose](): void {
    this.#undo.dispose();
  }

  #open(wish: Streams['stdio'][number], number: number): number {
    if (typeof wish === 'number') return this.lift(wish);
    if (wish === 'ignore') return this.#keep(openSync('/dev/null', 'r+'));
    const [own, its] = socketPair(this.#libc);
    this.#mine.set(number, this.#undo.adopt(own, closeSync));
    return this.#keep(its);
  }

  #keep(descriptor: number): number {
    try {
      return this.lift(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #closeTheirs(): void {
    for (const descriptor of this.#theirs.splice(0)) closeSync(descriptor);
  }
}

/** Contract: for a child of ours that ends; resolves when nothing is left of it. */
export async function reap(libc: Libc, pid: number): Promise<void> {
  while (libc.syscall(SYSCALLS.wait4, [pid, 0, WITHOUT_WAITING, 0]) === 0) {
    await pause(REAP_PAUSE_MS);
  }
}

function socketOn(fd: number | undefined): Socket | null {
  return fd === undefined ? null : new Socket({ fd, readable: true, writable: true });
}
