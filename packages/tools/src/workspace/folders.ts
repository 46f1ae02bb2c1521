import { PalyraError } from '@palyra/kernel';
import { chmodSync, chownSync, mkdirSync, rmdirSync } from 'node:fs';
import { type MountPoint, type OpenWorkspace, type Owner, below } from './open-workspace.ts';
import { type OpenedFolder, isRepository, openFolder, openPlace, pathIn } from './place.ts';
import { changed, explain, failed, outside } from './refusals.ts';
import { ENTER, WRITE, ownerMay } from './rights.ts';

const NONE: ReadonlyMap<string, readonly MountPoint[]> = new Map();
const USUAL_MODE = 0o755;
/** What a folder takes over from the one that it is in, such as its group. */
const INHERITED = 0o7000;

/** A folder to write in, and how to take back the folders that were made on the way. */
export interface WritableFolder extends Disposable {
  readonly folder: OpenedFolder;
  removeMade(): void;
}

/** Contract: throws PalyraErrors; then nothing that it made is left. */
export function openToWrite(
  workspace: OpenWorkspace,
  names: readonly string[],
  missing: 'existing' | 'create',
): WritableFolder {
  const made: string[][] = [];
  const removeMade = () => {
    for (const folder of made.toReversed()) removeFolder(workspace, folder);
  };
  // What was made for a mask has the name already: whoever puts something into it makes it theirs.
  const opening = missing === 'create' ? { ...workspace, mountPoints: () => NONE } : workspace;
  let folder = openFolder(workspace, []);
  try {
    for (const [depth, name] of names.entries()) {
      checkWritable(workspace, folder);
      if (missing === 'create' && make(workspace, folder, name)) {
        made.push(names.slice(0, depth + 1));
        giveAway(workspace, folder, name);
      }
      const next = openFolder(opening, [name], folder);
      folder[Symbol.dispose]();
      folder = next;
    }
    checkWritable(workspace, folder);
    checkRights(workspace, folder);
  } catch (error) {
    folder[Symbol.dispose]();
    removeMade();
    throw error;
  }
  const held = folder;
  return { folder: held, removeMade, [Symbol.dispose]: () => held[Symbol.dispose]() };
}

/**
 * Takes back folders that a change had made, the last so many of these, as far as nothing is in them.
 * Contract: never throws a PalyraError; what cannot be removed stays, with all above it.
 */
export function removeEmptied(
  workspace: OpenWorkspace,
  names: readonly string[],
  count: number,
): void {
  try {
    for (const end of Array.from({ length: count }, (_, step) => names.length - step)) {
      if (end <= 0) return;
      using above = openFolder(workspace, names.slice(0, end - 1));
      checkRights(workspace, above);
      if (!removeFolder(workspace, names.slice(0, end))) return;
    }
  } catch (error) {
    if (!(error instanceof PalyraError)) throw error;
  }
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The owner of what we make: as root not us, but whose workspace it is. */
export function ownerFor({ owner }: OpenWorkspace): Owner | undefined {
  return isRoot() ? owner : undefined;
}

function checkWritable(workspace: OpenWorkspace, folder: OpenedFolder): void {
  if (isRepository(workspace, folder)) {
    throw outside(folder.path || '.', 'is the inside of a repository and not written');
  }
}

function checkRights(workspace: OpenWorkspace, folder: OpenedFolder): void {
  if (ownerMay(workspace.owner, folder.stats, WRITE | ENTER)) return;
  throw failed(folder.path || '.', 'may not be written by the owner of the workspace', 'ask them');
}

function make(workspace: OpenWorkspace, folder: OpenedFolder, name: string): boolean {
  using there = openPlace(folder, name);
  if (there !== undefined) return false;
  checkRights(workspace, folder);
  try {
    mkdirSync(below(folder.descriptor, name), { mode: USUAL_MODE });
    return true;
  } catch (error) {
    throw explain(error, pathIn(folder, name));
  }
}

/**
 * The daemon keeps what is its own from others; what it has made in the workspace is not its own. Until
 * then its owner may not even enter it.
 */
function giveAway(workspace: OpenWorkspace, folder: OpenedFolder, name: string): void {
  using made = openPlace(folder, name);
  if (made?.stats.isDirectory() !== true || made.stats.uid !== process.getuid?.()) {
    throw changed(pathIn(folder, name));
  }
  try {
    const itself = `/proc/self/fd/${made.descriptor}`;
    chmodSync(itself, (made.stats.mode & INHERITED) | USUAL_MODE);
    const owner = ownerFor(workspace);
    if (owner) chownSync(itself, owner.uid, owner.gid);
  } catch (error) {
    throw explain(error, pathIn(folder, name));
  }
}

/** One that somebody has used meanwhile stays: it is theirs now. Says whether it is gone. */
function removeFolder(workspace: OpenWorkspace, names: readonly string[]): boolean {
  using folder = openFolder(workspace, names.slice(0, -1));
  try {
    rmdirSync(below(folder.descriptor, names.at(-1) ?? '.'));
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && KEPT.has(error.code))) throw error;
    return false;
  }
}

const KEPT: ReadonlySet<unknown> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR']);
