import {
  type Stats,
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  opendirSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Workspace, below, openFolder } from '../workspace.ts';
import type { ChangeWatch } from './change-watch.ts';

/** Something empty that a mask needs to lie on, and that was not there before. */
export interface MountPoint {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly device: number;
  readonly inode: number;
  /** When it was made, as long as nobody has used it since: the number alone is given again as soon as it is free. */
  readonly changedMs: number;
}

/** By what a workspace is known, whatever it is called. */
export function keyOf({ device, inode }: Pick<Workspace, 'device' | 'inode'>): string {
  return `${device}-${inode}`;
}

/** Contract: `undefined` when there is one already. */
export function makeMountPoint(
  workspace: Pick<Workspace, 'descriptor' | 'owner'>,
  path: string,
  kind: MountPoint['kind'],
): MountPoint | undefined {
  return inFolderOf(workspace.descriptor, path, (place) => {
    const descriptor = kind === 'file' ? makeFile(place) : makeFolder(place);
    if (descriptor === undefined) return undefined;
    try {
      const { dev: device, ino: inode, mtimeMs: changedMs, uid, gid } = fstatSync(descriptor);
      const { owner } = workspace;
      if (uid !== owner.uid || gid !== owner.gid) fchownIfAble(descriptor, owner);
      return { path, kind, device, inode, changedMs };
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Those that were to be made and whose making nobody has noted. Contract: only what is empty and no older. */
export function findMountPoints(
  root: number,
  points: readonly Pick<MountPoint, 'path' | 'kind'>[],
  sinceMs: number,
): readonly MountPoint[] {
  const found = points.map((point) => findMountPoint(root, point, sinceMs));
  return found.filter((point) => point !== undefined);
}

function findMountPoint(
  root: number,
  { path, kind }: Pick<MountPoint, 'path' | 'kind'>,
  sinceMs: number,
): MountPoint | undefined {
  try {
    return inFolderOf(root, path, (place) => {
      const stat = lstatSync(place, { throwIfNoEntry: false });
      const isSame = kind === 'file' ? stat?.isFile() && stat.size === 0 : stat?.isDirectory();
      if (stat === undefined || isSame !== true || stat.birthtimeMs < sinceMs) return undefined;
      return { path, kind, device: stat.dev, inode: stat.ino, changedMs: stat.mtimeMs };
    });
  } catch {
    // Its folder is gone, or nobody's business of ours any more.
    return undefined;
  }
}

/** Contract: only what is still the same, and still empty. */
export function removeMountPoint(root: number, point: MountPoint): void {
  inFolderOf(root, point.path, (place) => {
    if (stateOf(statAt(place), point) !== 'ours') return;
    if (point.kind === 'file') unlinkSync(place);
    else rmdirSync(place);
  });
}

/** On pages of a ledger from before it was. */
const TIME_NOT_NOTED = 0;

/** What is not any more what was made: somebody else's. */
export function changedMountPoints(
  root: number,
  points: readonly MountPoint[],
): readonly MountPoint[] {
  const isChanged = (place: string, point: MountPoint) =>
    stateOf(statAt(place), point) === 'changed';
  return points.filter((point) => unlessKnown(root, point, isChanged));
}

/**
 * The same, with what is gone, and with folders that hold something. On doubt it is somebody's.
 * Contract: `watch` is shown each of them.
 */
export function usedMountPoints(
  root: number,
  points: readonly MountPoint[],
  watch: ChangeWatch | undefined,
): readonly MountPoint[] {
  const isUsedNow = (place: string, point: MountPoint) => {
    const number = watch?.show(place, 'anything');
    // One that is not there is known by the names in its folder.
    if (number === undefined && statAt(place) !== undefined) watch?.goDeaf();
    return isUsed(place, point);
  };
  return points.filter((point) => unlessKnown(root, point, isUsedNow));
}

/** Contract: what cannot be looked at is taken for a yes. */
function unlessKnown(
  root: number,
  point: MountPoint,
  is: (place: string, point: MountPoint) => boolean,
): boolean {
  try {
    return inFolderOf(root, point.path, (place) => is(place, point));
  } catch {
    return true;
  }
}

function isUsed(place: string, point: MountPoint): boolean {
  const stat = statAt(place);
  if (stat === undefined || stateOf(stat, point) !== 'ours') return true;
  // To list each before every command takes long: who fills one and puts back its time is only masked longer.
  return point.kind === 'folder' && stat.mtimeMs !== point.changedMs && isFilled(place, point);
}

/** Held first, so that what is listed is what was made. */
function isFilled(place: string, point: MountPoint): boolean {
  const descriptor = openSync(place, FOLDER);
  try {
    if (stateOf(fstatSync(descriptor), point) !== 'ours') return true;
    using listing = opendirSync(below(descriptor, '.'));
    return listing.readSync() !== null;
  } finally {
    closeSync(descriptor);
  }
}

function statAt(place: string): Stats | undefined {
  return lstatSync(place, { throwIfNoEntry: false });
}

function stateOf(stat: Stats | undefined, point: MountPoint): 'gone' | 'ours' | 'changed' {
  if (stat === undefined) return 'gone';
  const isSame = stat.dev === point.device && stat.ino === point.inode;
  return isSame && (point.kind === 'folder' || isBlank(stat, point)) ? 'ours' : 'changed';
}

/** Of a file. What is written under a second name would stand under this one, too; and a number is given again once it is free. */
export function isBlank({ size, nlink, mtimeMs }: Stats, { changedMs }: MountPoint): boolean {
  const isUntouched = changedMs === TIME_NOT_NOTED || mtimeMs === changedMs;
  return size === 0 && nlink === 1 && isUntouched;
}

/** Through no link on the way. Contract: throws as the file system does. */
export function inFolderOf<T>(root: number, path: string, use: (place: string) => T): T {
  const folder = dirname(path);
  if (folder === '.') return use(below(root, path));
  const descriptor = openFolder(root, folder);
  try {
    return use(below(descriptor, basename(path)));
  } finally {
    closeSync(descriptor);
  }
}

/** As root what we make is the owner's; a user can give nothing away, and need not. */
function fchownIfAble(descriptor: number, { uid, gid }: Workspace['owner']): void {
  if (process.geteuid?.() === 0) fchownSync(descriptor, uid, gid);
}

const CREATE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

function makeFile(place: string): number | undefined {
  return unlessThere(() => openSync(place, CREATE, 0o644));
}

function makeFolder(place: string): number | undefined {
  return unlessThere(() => {
    mkdirSync(place, { mode: 0o755 });
    return openSync(place, FOLDER);
  });
}

function unlessThere(create: () => number): number | undefined {
  try {
    return create();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
}
