import type { Libc } from '../libc.ts';
import type { Cage } from '../tier-c-bubblewrap/cage.ts';
import { type MountWatch, watchMounts } from '../tier-c-bubblewrap/mount-watch.ts';
import { factsOf, mountsOf } from '../tier-c-bubblewrap/processes.ts';

type Looked = Pick<Cage, 'shell' | 'waiting' | 'mounts'>;

/**
 * Whether a cage is still what was looked at when it was made: somebody may have ended it, stopped it, or
 * exchanged a name in the workspace, which takes away the mask that lay on it.
 */
export function isIntact({ shell, waiting }: Looked, mounts: MountWatch): boolean {
  // Without the first process there is no other.
  const now = factsOf(waiting.shell);
  return (
    now !== undefined &&
    !now.isDead &&
    !now.isStopped &&
    now.startedAt === shell.startedAt &&
    now.parent === waiting.first.pid &&
    !mounts.hasChanged()
  );
}

/** Contract: `undefined` when something was changed before anybody watched. */
export function watchCage(libc: Libc, { waiting, mounts }: Looked): MountWatch | undefined {
  using undo = new DisposableStack();
  try {
    const watch = undo.use(watchMounts(libc, waiting.shell));
    if (mountsOf(waiting.shell) !== mounts) return undefined;
    undo.move();
    return watch;
  } catch {
    // It has ended.
    return undefined;
  }
}
