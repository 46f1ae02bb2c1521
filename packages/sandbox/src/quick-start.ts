import { PalyraError } from '@palyra/kernel';
import { type Child, HandedStreams, type Streams } from './handed-streams.ts';
import type { Libc } from './libc.ts';
import type { Spawn } from './posix-spawn.ts';

export type QuickOrder = QuickStreams &
  (
    | { readonly file: string }
    /** By its descriptor, which stays open. */
    | { readonly program: number }
  );

interface QuickStreams extends Streams {
  /** From its own name on. */
  readonly words: readonly string[];
}

/** Contract: throws SANDBOX_FAILED when there is no such process. */
export type QuickStart = (order: QuickOrder) => Child;

/**
 * Starts programs without a copy of ourselves, which Node makes each time and which takes it longer than all
 * the rest. The environment is empty; nothing is inherited but what is named, and what is not close-on-exec.
 */
export function openQuickStart(libc: Libc, spawn: Spawn): QuickStart {
  return (order) => {
    using streams = new HandedStreams(libc, order);
    const file = 'file' in order ? order.file : `/proc/self/fd/${streams.lift(order.program)}`;
    const pid = spawn({ file, words: order.words, descriptors: streams.given });
    if (pid === undefined) {
      throw new PalyraError('SANDBOX_FAILED', 'the kernel started no process for the sandbox');
    }
    return streams.handOn(pid);
  };
}
