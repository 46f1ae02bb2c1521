import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Groups } from '../tier-c-bubblewrap/cgroup.ts';

const PREFIX = 'palyra-b';

/** Says whose it is, so that whoever comes later can tell whether they are still there. */
export function groupName(owner: number, number: number): string {
  return `${PREFIX}-${owner}-${number}`;
}

/** Takes away what a killed host left behind. The kernel refuses it for every group that holds a process. */
export function removeStaleGroups(groups: Groups): void {
  const folders = groups.version === 'v2' ? [groups.folder] : Object.values(groups.folders);
  for (const folder of new Set(folders)) {
    for (const name of readdirSync(folder)) {
      const owner = new RegExp(`^${PREFIX}-(\\d+)-\\d+$`).exec(name)?.[1];
      if (owner !== undefined && !existsSync(`/proc/${owner}`)) removeEmpty(join(folder, name));
    }
  }
}

function removeEmpty(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // Somebody is still in it, or took it away before us: either way it is not ours to end.
  }
}
