import { type Dir, lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import type { Found, Overlooked } from './overlooked.ts';

/** Sandboxes make fewer in a workspace: whoever may look at so many names is not kept from it by these. */
const MOST_OVERLOOKED = 512;

/** Everything below, through no link. Contract: more than `most` names if there are; throws as the file system does. */
export function foundBelow(top: string, most: number): readonly Found[] {
  const all: Found[] = [];
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const found = foundIn(folder, most - all.length);
    all.push(...found);
    if (all.length > most + MOST_OVERLOOKED) return all;
    folders.push(...found.filter(({ stats }) => stats.isDirectory()).map(({ path }) => path));
  }
  return all;
}

/** The same right in a folder. */
export function foundIn(folder: string, most: number): readonly Found[] {
  const found: Found[] = [];
  using listing = openIfThere(folder);
  if (listing === undefined) return found;
  for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
    const path = join(folder, entry.name);
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    // What masks lay on may go at any moment.
    if (stats === undefined) continue;
    found.push({ path, stats });
    if (found.length > most + MOST_OVERLOOKED) return found;
  }
  return found;
}

/** Without those that are only there for masks. Contract: throws as the file system does. */
export function somebodys(all: readonly Found[], overlooked: Overlooked): readonly Found[] {
  const theirs = new Set(overlooked.without(all.filter(mayBeForMasks)));
  return all.filter((found) => !mayBeForMasks(found) || theirs.has(found) || isFilledFolder(found));
}

function mayBeForMasks({ stats }: Found): boolean {
  return stats.isDirectory() || (stats.isFile() && stats.size === 0n);
}

/** Asked for, since whoever fills one can put back its time. */
function isFilledFolder({ path, stats }: Found): boolean {
  if (!stats.isDirectory()) return false;
  using listing = openIfThere(path);
  return listing !== undefined && listing.readSync() !== null;
}

/** Contract: throws as the file system does, but for what is gone. */
function openIfThere(folder: string): Dir | undefined {
  try {
    return opendirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
