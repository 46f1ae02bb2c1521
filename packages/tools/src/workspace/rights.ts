import type { Stats } from 'node:fs';
import type { Owner } from './open-workspace.ts';

export const READ = 4;
export const WRITE = 2;
export const ENTER = 1;

/**
 * What the owner of the workspace could do, by the bits alone. A gateway that runs as root is asked
 * nothing by the kernel, and must not lend that to an agent; for any other the kernel asks as well.
 */
export function ownerMay(owner: Owner, { uid, gid, mode }: Stats, wanted: number): boolean {
  if (owner.uid === 0) return true;
  return ((mode >> shiftFor(owner, uid, gid)) & wanted) === wanted;
}

function shiftFor(owner: Owner, uid: number, gid: number): number {
  if (uid === owner.uid) return 6;
  return gid === owner.gid ? 3 : 0;
}
