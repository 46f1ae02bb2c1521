import { close, openSync } from 'node:fs';
import type { Libc } from '../libc.ts';
import { pollNow } from '../poll-now.ts';
import { linesAt, placeOf, readList, spelled } from './mount-list.ts';

/** Hears of every change to what is mounted where a process is. */
export interface MountWatch extends AsyncDisposable {
  /** Since it was opened or last asked, of any mount, by whomever. On doubt it has. */
  hasChanged(): boolean;
  /** Whether there is a mount on each of these below that folder. Dear: the kernel writes the list. */
  areOn(folder: string, paths: readonly string[]): boolean;
}

/**
 * The kernel counts the changes, which is far cheaper than to read the list again. It holds the mounts as
 * long as it is open. Contract: throws as `open` does when there is no such process; closed when disposed of.
 */
export function watchMounts(libc: Libc, pid: number): MountWatch {
  const descriptor = openSync(`/proc/${pid}/mountinfo`, 'r');
  return {
    hasChanged: pollNow(libc, descriptor, 'urgent'),
    areOn: (folder, paths) => {
      const root = spelled(folder);
      const wanted = new Set([root, ...paths.map((path) => `${root}/${spelled(path)}`)]);
      const found = new Set(linesAt(readList(descriptor), root).map(placeOf));
      // Others may be there as well: what the host has mounted in the workspace comes along.
      return wanted.isSubsetOf(found);
    },
    // Whoever closes it last takes all mounts apart, for milliseconds in which we would answer nobody.
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => close(descriptor, () => resolve())),
  };
}
