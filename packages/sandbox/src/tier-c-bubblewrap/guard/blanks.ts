import { type Stats, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Libc } from '../../libc.ts';
import type { Workspace } from '../workspace.ts';
import { type MountPoint, inFolderOf } from './mount-point.ts';

const RENAMEAT2 = process.arch === 'arm64' ? 276 : 316;
const AT_FDCWD = -100;
const RENAME_NOREPLACE = 1;

/** Of all workspaces together; whose masks were put away longest ago lose theirs first. */
const MAX_BLANKS = 512;

interface Blank {
  readonly point: MountPoint;
  readonly at: string;
  /** When it was put away. Whatever is made in it, or written to it, changes this. */
  readonly changedMs: number;
}

/**
 * What masks lay on, put away until the same name needs one again: to move an empty file costs a file
 * system far less than to make one and to remove it.
 * INVARIANT: each goes back to the name it came from, so that whoever still has it open meets no other.
 */
export class Blanks {
  readonly #libc: Libc;
  readonly #folder: string;
  readonly #byWorkspace = new Map<string, Map<string, Blank>>();
  #count = 0;
  #names = 0;

  /** Contract: `folder` exists and is ours alone; whoever removes it removes them. */
  constructor(libc: Libc, folder: string) {
    this.#libc = libc;
    this.#folder = folder;
  }

  /** Those for the wanted names of a workspace that are still blank, and still its owner's. */
  find(
    { key, owner }: Pick<Workspace, 'owner'> & { readonly key: string },
    wanted: readonly Pick<MountPoint, 'path' | 'kind'>[],
  ): readonly MountPoint[] {
    const blanks = this.#byWorkspace.get(key);
    if (blanks === undefined) return [];
    return wanted.flatMap(({ path, kind }) => {
      const blank = blanks.get(path);
      if (blank === undefined) return [];
      const stat = lstatSync(blank.at, { throwIfNoEntry: false });
      const isUntouched =
        blank.point.kind === kind &&
        stat?.mtimeMs === blank.changedMs &&
        (kind === 'folder' || stat.size === 0);
      if (isUntouched && stat?.uid === owner.uid && stat.gid === owner.gid) return [blank.point];
      this.#drop(key, blank);
      return [];
    });
  }

  /** Contract: of what `find` gave; `false` when something is there already, or it cannot be moved. */
  lay(root: number, workspace: string, point: MountPoint): boolean {
    const blank = this.#byWorkspace.get(workspace)?.get(point.path);
    if (blank === undefined) return false;
    if (!inFolderOf(root, point.path, (place) => this.#move(blank.at, place))) return false;
    this.#forget(workspace, blank);
    return true;
  }

  /** Contract: `false` when it is not any more what was made, or cannot be moved; then it stays. */
  putAway(root: number, workspace: string, point: MountPoint): boolean {
    this.#names += 1;
    const at = join(this.#folder, `${this.#names}`);
    const away = inFolderOf(root, point.path, (place) => {
      if (blankAt(place, point) === undefined || !this.#move(place, at)) return undefined;
      const moved = blankAt(at, point);
      // Somebody used it at the very moment: it is theirs.
      if (moved === undefined) this.#move(at, place);
      return moved;
    });
    if (away === undefined) return false;
    this.#keep(workspace, { point, at, changedMs: away.mtimeMs });
    return true;
  }

  #move(from: string, to: string): boolean {
    const [source, target] = [from, to].map((path) => Buffer.from(`${path}\0`));
    if (source === undefined || target === undefined) return false;
    const words = [AT_FDCWD, source, AT_FDCWD, target, RENAME_NOREPLACE];
    return this.#libc.syscall(RENAMEAT2, words) === 0;
  }

  #keep(workspace: string, blank: Blank): void {
    const blanks = this.#byWorkspace.get(workspace) ?? new Map<string, Blank>();
    const older = blanks.get(blank.point.path);
    if (older !== undefined) this.#drop(workspace, older);
    blanks.set(blank.point.path, blank);
    // Last used, last in the list.
    this.#byWorkspace.delete(workspace);
    this.#byWorkspace.set(workspace, blanks);
    this.#count += 1;
    const [oldest] = this.#byWorkspace;
    const [first] = oldest?.[1].values() ?? [];
    if (this.#count > MAX_BLANKS && oldest !== undefined && first !== undefined) {
      this.#drop(oldest[0], first);
    }
  }

  #drop(workspace: string, blank: Blank): void {
    this.#forget(workspace, blank);
    rmSync(blank.at, { recursive: true, force: true });
  }

  #forget(workspace: string, { point }: Blank): void {
    const blanks = this.#byWorkspace.get(workspace);
    if (blanks?.delete(point.path) === true) this.#count -= 1;
    if (blanks?.size === 0) this.#byWorkspace.delete(workspace);
  }
}

/** Contract: `undefined` for anything but the same empty one. */
function blankAt(place: string, point: MountPoint): Stats | undefined {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (stat === undefined || stat.dev !== point.device || stat.ino !== point.inode) return undefined;
  const isEmpty = point.kind === 'file' ? isEmptyFile(stat) : isEmptyFolder(place, stat);
  return isEmpty ? stat : undefined;
}

/** With a second name it is not ours alone any more. */
function isEmptyFile(stat: Stats): boolean {
  return stat.isFile() && stat.size === 0 && stat.nlink === 1;
}

function isEmptyFolder(place: string, stat: Stats): boolean {
  return stat.isDirectory() && readdirSync(place).length === 0;
}
