import { type Stats, closeSync, lstatSync, opendirSync } from 'node:fs';
import { type MountPoint, type OpenWorkspace, below, stepInto } from './open-workspace.ts';

/**
 * Whether a name is only there because a sandbox guards it, so that for everybody else nothing is there.
 * INVARIANT: never what holds anything: whoever could bring about that it is taken for one hides nothing.
 * Contract: never throws; on doubt it is somebody's.
 */
export function isMountPointAt(
  workspace: OpenWorkspace,
  folder: { readonly descriptor: number },
  name: string,
): boolean {
  const points = workspace.mountPoints().get(name);
  if (points === undefined) return false;
  try {
    const stats = lstatSync(below(folder.descriptor, name), { throwIfNoEntry: false });
    if (stats === undefined || !points.some((point) => isUnused(point, stats))) return false;
    return stats.isFile() || isEmptyFolder(folder.descriptor, name);
  } catch {
    // Who may not look, or finds another one a moment later, does not know.
    return false;
  }
}

/** With a second name, or touched by anybody, it is theirs. */
function isUnused({ kind, device, inode, changedMs }: MountPoint, stats: Stats): boolean {
  if (stats.dev !== device || stats.ino !== inode || stats.mtimeMs !== changedMs) return false;
  if (kind === 'folder') return stats.isDirectory();
  return stats.isFile() && stats.size === 0 && stats.nlink === 1;
}

/** Asked for, since whoever fills a folder can put back the time of it. */
function isEmptyFolder(parent: number, name: string): boolean {
  const folder = stepInto(parent, name);
  try {
    using listing = opendirSync(below(folder, '.'));
    return listing.readSync() === null;
  } finally {
    closeSync(folder);
  }
}
