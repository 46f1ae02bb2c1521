import { closeSync } from 'node:fs';
import { type Child, HandedStreams, type Streams, reap } from './handed-streams.ts';
import type { Libc } from './libc.ts';
import type { Spawn } from './posix-spawn.ts';
import { type SendDescriptors, openSend } from './send-descriptors.ts';
import { socketPair } from './socket-pair.ts';

/** Somebody who waits to become a program, so that where it will run can be arranged before it is needed. */
export interface StandIn extends AsyncDisposable {
  readonly pid: number;
  /**
   * Contract: once, with two streams at least. `undefined` when it cannot, because it was ended or those are too
   * many: then it is still to be disposed of. Afterwards it is the child that is given, and no longer ours to end.
   */
  become(streams: Streams): Child | undefined;
}

export interface StandInOrder {
  /** Of the program that waits (`starter/stand-in-elf.ts`). Contract: stays open. */
  readonly program: number;
  /** The path of what it becomes, and that program's arguments from there on. */
  readonly words: readonly string[];
}

/** Contract: starts one, which ends with us; `undefined` when the kernel started none. */
export function openStandIns(
  libc: Libc,
  spawn: Spawn,
): (order: StandInOrder) => StandIn | undefined {
  const send = openSend(libc);
  return ({ program, words }) => {
    const [mine, its] = socketPair(libc);
    using undo = new DisposableStack();
    undo.adopt(its, closeSync);
    const ours = undo.adopt(mine, closeSync);
    using start = new HandedStreams(libc, { stdio: [its], lifeline: 0 });
    const file = `/proc/self/fd/${start.lift(program)}`;
    const pid = spawn({ file, words: ['stand-in', ...words], descriptors: start.given });
    if (pid === undefined) return undefined;
    undo.move();
    closeSync(its);
    return standIn({ libc, send }, pid, ours);
  };
}

interface Parts {
  readonly libc: Libc;
  readonly send: SendDescriptors;
}

function standIn({ libc, send }: Parts, pid: number, socket: number): StandIn {
  let isOurs = true;
  const letGo = () => {
    isOurs = false;
    closeSync(socket);
  };
  return {
    pid,
    become: (streams) => {
      if (!isOurs) return undefined;
      using handed = new HandedStreams(libc, streams);
      // The first comes last: until then its number is the socket's.
      const [first = -1, ...others] = handed.given;
      if (!send(socket, [...others, first])) return undefined;
      letGo();
      return handed.handOn(pid);
    },
    [Symbol.asyncDispose]: async () => {
      if (!isOurs) return;
      // It hears that nobody will tell it anything.
      letGo();
      await reap(libc, pid);
    },
  };
}
