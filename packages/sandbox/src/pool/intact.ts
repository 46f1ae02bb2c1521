import type { Cage } from '../tier-c-bubblewrap/cage.ts';
import { factsOf } from '../tier-c-bubblewrap/processes.ts';

type Looked = Pick<Cage, 'starter' | 'waiting' | 'mounts'>;

/**
 * Whether a cage is still what was looked at when it was made: somebody may have ended it, stopped it, or
 * exchanged a name in the workspace, which takes away the mask that lay on it.
 */
export function isIntact({ starter, waiting, mounts }: Looked): boolean {
  // Without the first process there is no other.
  const now = factsOf(waiting.starter);
  return (
    now !== undefined &&
    !now.isDead &&
    !now.isStopped &&
    now.startedAt === starter.startedAt &&
    now.parent === waiting.first.pid &&
    !mounts.hasChanged()
  );
}
