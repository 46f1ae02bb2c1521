import { closeSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Bytes } from '@palyra/kernel';
import { closed } from '../child-streams.ts';
import type { Libc } from '../libc.ts';
import { socketPair } from '../socket-pair.ts';

const SHUTDOWN = process.arch === 'arm64' ? 210 : 48;
const NO_MORE = 1;

/**
 * What a child reads to its end, which comes when we say so and in no other way.
 * INVARIANT: our end of the stream holds something that nobody has read. The kernel tells whoever reads the
 * other one of an error when ours is closed like that: that we were killed is never taken for the end of a text.
 */
export class LateText implements Disposable {
  /** The child's end. Contract: the caller closes it when the child has it. */
  readonly theirs: number;
  readonly #libc: Libc;
  readonly #ours: number;
  #isOver = false;

  /** Contract: throws SANDBOX_FAILED, or as `write` does. */
  constructor(libc: Libc) {
    const [ours, theirs] = socketPair(libc);
    this.#libc = libc;
    this.#ours = ours;
    this.theirs = theirs;
    writeSync(theirs, '\0');
  }

  /** Contract: once, and no more than fits into the stream. Resolves when the child has let go of it. */
  give(text: Bytes): Promise<void> {
    this.#isOver = true;
    try {
      writeSync(this.#ours, text);
    } catch {
      // It has ended, which is told elsewhere.
    }
    this.#libc.syscall(SHUTDOWN, [this.#ours, NO_MORE]);
    const socket = new Socket({ fd: this.#ours, readable: true, writable: false });
    // One that ended before it had read everything; it is closed behind that all the same.
    return closed(socket.on('error', () => {}));
  }

  /** Whoever still waits for it hears that it never comes. */
  [Symbol.dispose](): void {
    if (this.#isOver) return;
    this.#isOver = true;
    closeSync(this.#ours);
  }
}
