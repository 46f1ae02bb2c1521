import {
  type Stats,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Libc } from '../../libc.ts';
import { type Workspace, openWorkspace } from '../workspace.ts';
import { type MountPoint, inFolderOf, isBlank, keyOf } from './mount-point.ts';

const RENAMEAT2 = process.arch === 'arm64' ? 276 : 316;
const AT_FDCWD = -100;
const RENAME_NOREPLACE = 1;

/** Of all workspaces together; whose masks were put away longest ago lose theirs first. */
const MAX_BLANKS = 512;

/** The workspace that one came from. */
export interface Home {
  readonly key: string;
  readonly path: string;
}

interface Blank {
  readonly home: Home;
  readonly point: MountPoint;
  readonly at: string;
  /** When it was put away. Whatever is written to it changes this. */
  readonly changedMs: number;
}

/**
 * What masks lie on, kept until the same name needs one again: to move something empty costs a file system far
 * less than to make it, above all one that has just removed much, and no command shall wait for that.
 * INVARIANT: each file goes back to the name it came from, so that whoever still has it open meets no other. What
 * is not empty any more is somebody's: it is never removed. A folder is removed, and another one kept in its place
 * that nobody has seen: whoever stands in one would make things in it, here, that they never find again.
 */
export class Blanks implements Disposable {
  readonly #libc: Libc;
  readonly #folder: string;
  /** Nothing moves from one to another. */
  readonly #device: number;
  readonly #byWorkspace = new Map<string, Map<string, Blank>>();
  #count = 0;
  #names = 0;

  /** What an earlier process left is removed. Contract: `folder` exists and is ours alone. */
  constructor(libc: Libc, folder: string) {
    this.#libc = libc;
    this.#folder = folder;
    this.#device = lstatSync(folder).dev;
    sweepBlanks(folder);
  }

  /** Those for the wanted names of a workspace that are still blank, and still its owner's. */
  find(
    { key, owner }: Pick<Workspace, 'owner'> & Pick<Home, 'key'>,
    wanted: readonly Pick<MountPoint, 'path' | 'kind'>[],
  ): readonly MountPoint[] {
    const blanks = this.#byWorkspace.get(key);
    if (blanks === undefined) return [];
    return wanted.flatMap(({ path, kind }) => {
      const blank = blanks.get(path);
      if (blank === undefined) return [];
      const stat = lstatSync(blank.at, { throwIfNoEntry: false });
      const isOwners = stat?.uid === owner.uid && stat.gid === owner.gid;
      if (isOwners && blank.point.kind === kind && isUntouched(stat, blank)) return [blank.point];
      this.#drop(blank);
      return [];
    });
  }

  /** Contract: of what `find` gave; `false` when something is there already, or it cannot be moved. */
  lay(root: number, workspace: string, point: MountPoint): boolean {
    const blank = this.#byWorkspace.get(workspace)?.get(point.path);
    if (blank === undefined) return false;
    if (!inFolderOf(root, point.path, (place) => this.#move(blank.at, place))) return false;
    this.#forget(blank);
    return true;
  }

  /** Contract: `false` when it is not any more what was made, or cannot be moved; then it stays. */
  putAway(root: number, home: Home, point: MountPoint): boolean {
    return point.kind === 'file'
      ? this.#fileAway(root, home, point)
      : this.#folderAway(root, home, point);
  }

  #fileAway(root: number, home: Home, point: MountPoint): boolean {
    const at = this.#nextPlace();
    const away = inFolderOf(root, point.path, (place) => {
      if (blankAt(place, point) === undefined || !this.#move(place, at)) return undefined;
      const moved = blankAt(at, point);
      // Somebody used it at the very moment: it is theirs. Where its name was taken it stays here.
      if (moved === undefined) this.#move(at, place);
      return moved;
    });
    if (away === undefined) return false;
    this.#keep({ home, point, at, changedMs: away.mtimeMs });
    return true;
  }

  #folderAway(root: number, home: Home, point: MountPoint): boolean {
    const gone = inFolderOf(root, point.path, (place) => removedAt(place, point));
    if (gone === undefined) return false;
    if (gone.dev !== this.#device) return true;
    const at = this.#nextPlace();
    mkdirSync(at, { mode: 0o755 });
    // As root what we make is the owner's; a user makes nothing that is not theirs.
    if (process.geteuid?.() === 0) chownSync(at, gone.uid, gone.gid);
    const { ino: inode, mtimeMs: changedMs } = lstatSync(at);
    this.#keep({ home, point: { ...point, inode, changedMs }, at, changedMs });
    return true;
  }

  #nextPlace(): string {
    this.#names += 1;
    return join(this.#folder, `${this.#names}`);
  }

  [Symbol.dispose](): void {
    for (const blanks of this.#byWorkspace.values()) {
      for (const blank of blanks.values()) this.#drop(blank);
    }
  }

  #move(from: string, to: string): boolean {
    const [source, target] = [from, to].map((path) => Buffer.from(`${path}\0`));
    if (source === undefined || target === undefined) return false;
    const words = [AT_FDCWD, source, AT_FDCWD, target, RENAME_NOREPLACE];
    return this.#libc.syscall(RENAMEAT2, words) === 0;
  }

  #keep(blank: Blank): void {
    const { home, point } = blank;
    const older = this.#byWorkspace.get(home.key)?.get(point.path);
    if (older !== undefined) this.#drop(older);
    const blanks = this.#byWorkspace.get(home.key) ?? new Map<string, Blank>();
    blanks.set(point.path, blank);
    // Last used, last in the list.
    this.#byWorkspace.delete(home.key);
    this.#byWorkspace.set(home.key, blanks);
    this.#count += 1;
    const [oldest] = this.#byWorkspace.values();
    const [first] = oldest?.values() ?? [];
    if (this.#count > MAX_BLANKS && first !== undefined) this.#drop(first);
  }

  /** What was written to it goes back to its name; where that is taken it stays here, for a person to find. */
  #drop(blank: Blank): void {
    this.#forget(blank);
    if (!removeIfBlank(blank.at)) this.#giveBack(blank);
  }

  #giveBack({ home, point, at }: Blank): void {
    try {
      using workspace = openWorkspace(home.path);
      if (keyOf(workspace) !== home.key) return;
      inFolderOf(workspace.descriptor, point.path, (place) => this.#move(at, place));
    } catch {
      // Its folder is gone: `sweepBlanks` tells of it.
    }
  }

  #forget({ home, point }: Blank): void {
    const blanks = this.#byWorkspace.get(home.key);
    if (blanks?.delete(point.path) === true) this.#count -= 1;
    if (blanks?.size === 0) this.#byWorkspace.delete(home.key);
  }
}

/** Contract: removes what is blank and gives what is not, which is somebody's and stays. */
export function sweepBlanks(folder: string): readonly string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((at) => !removeIfBlank(at));
}

/** Contract: `true` when nothing is there any more. */
function removeIfBlank(at: string): boolean {
  const stat = lstatSync(at, { throwIfNoEntry: false });
  if (stat === undefined) return true;
  if (stat.isDirectory()) return removeIfEmpty(at);
  if (!stat.isFile() || stat.size > 0) return false;
  unlinkSync(at);
  return true;
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    // Something is in it.
    return false;
  }
}

function isUntouched(stat: Stats, { point, changedMs }: Blank): boolean {
  return stat.mtimeMs === changedMs && (point.kind === 'folder' || stat.size === 0);
}

/** Contract: `undefined` for anything but the same, empty and a file; with a second name it is not ours alone any more. */
function blankAt(place: string, point: MountPoint): Stats | undefined {
  const stat = sameAt(place, point);
  return stat?.isFile() === true && isBlank(stat, point) ? stat : undefined;
}

/** Contract: what it was; `undefined` for anything but the same, empty and a folder, which stays. */
function removedAt(place: string, point: MountPoint): Stats | undefined {
  const stat = sameAt(place, point);
  return stat?.isDirectory() === true && removeIfEmpty(place) ? stat : undefined;
}

function sameAt(place: string, { device, inode }: MountPoint): Stats | undefined {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  return stat?.dev === device && stat.ino === inode ? stat : undefined;
}
