import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { readWhole } from './content.ts';
import { isMountPointAt } from './mount-points.ts';
import { type OpenWorkspace, identityOf } from './open-workspace.ts';
import {
  type Opened,
  type OpenedFolder,
  openFile,
  openFolder,
  openPlace,
  pathIn,
} from './place.ts';
import { failed } from './refusals.ts';
import { WRITE, ownerMay } from './rights.ts';

/** What a name stood for when we looked. */
export type Seen = { readonly folders: FolderNumbers } & (
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly stats: Stats; readonly bytes: Buffer }
);

/** The file system's own numbers for the folders on the way, as far as those are there. */
export type FolderNumbers = readonly string[];

export const NOTHING: Seen = { kind: 'absent', folders: [] };

/** Contract: a missing folder on the way is `absent`, too; anything but a file that may be replaced is refused. */
export function lookAt(
  workspace: OpenWorkspace,
  names: readonly string[],
  limitBytes: number,
): Seen {
  const way = names.slice(0, -1);
  const folders = folderNumbers(workspace, way);
  const nothing: Seen = { kind: 'absent', folders };
  if (folders.length < way.length) return nothing;
  using folder = openFolder(workspace, way);
  const name = names.at(-1) ?? '.';
  using place = openPlace(folder, name);
  if (place === undefined || isMountPointAt(workspace, folder, name)) return nothing;
  using file = openFile(workspace, folder, name);
  const path = pathIn(folder, name);
  if (!ownerMay(workspace.owner, file.stats, WRITE) || (file.stats.mode & ANY_WRITE) === 0) {
    throw failed(path, 'is write-protected', 'ask whoever protected it');
  }
  return { kind: 'file', folders, stats: file.stats, bytes: readWhole(file, path, limitBytes) };
}

/** By what the file system itself keeps, so that a change of the same length is one, too. */
export function isUnchanged(folder: Opened, name: string, seen: Stats | undefined): boolean {
  using now = openPlace(folder, name);
  if (now === undefined || seen === undefined) return now === undefined && seen === undefined;
  const { stats } = now;
  return FACTS.every((fact) => stats[fact] === seen[fact]);
}

const FACTS = ['dev', 'ino', 'size', 'mode', 'mtimeMs', 'ctimeMs'] as const;
const ANY_WRITE = constants.S_IWUSR | constants.S_IWGRP | constants.S_IWOTH;

/** Contract: ends before the first that is missing. */
export function folderNumbers(workspace: OpenWorkspace, names: readonly string[]): FolderNumbers {
  const numbers: string[] = [];
  for (const [depth, name] of names.entries()) {
    using folder: OpenedFolder = openFolder(workspace, names.slice(0, depth));
    using place = openPlace(folder, name);
    // One for a mask may be gone, or come, before somebody has answered.
    if (place === undefined || isMountPointAt(workspace, folder, name)) break;
    // A number is given again as soon as it is free: when it was given tells the two apart.
    numbers.push(`${identityOf(place.stats)}:${place.stats.birthtimeMs}`);
  }
  return numbers;
}
