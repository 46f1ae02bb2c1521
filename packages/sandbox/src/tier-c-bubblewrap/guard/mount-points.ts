import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { type Workspace, below, openFolder, openWorkspace } from '../workspace.ts';
import type { Guarded } from './scan.ts';

/** Something empty that a mask needs to lie on, and that was not there before. */
interface MountPoint {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly device: number;
  readonly inode: number;
}

interface Held {
  users: number;
  readonly points: MountPoint[];
  readonly ledger: string;
  readonly path: string;
}

const LEDGER = z.strictObject({
  workspace: z.string(),
  points: z.array(
    z.strictObject({
      path: z.string(),
      kind: z.enum(['file', 'folder']),
      device: z.number(),
      inode: z.number(),
    }),
  ),
});

/**
 * Makes what masks lie on, and takes it away again.
 * INVARIANT: as long as one sandbox of a workspace lives, all of its mount points stay: removing one
 * removes every mask that lies on it, in every sandbox.
 */
export class MountPoints {
  readonly #folder: string;
  readonly #held = new Map<string, Held>();

  /** Contract: `folder` exists, and no other process uses it. What an earlier one left is removed. */
  constructor(folder: string) {
    this.#folder = folder;
    for (const name of readdirSync(folder)) sweep(join(folder, name));
  }

  /** What stands in a workspace only because of us. */
  ours({ device, inode }: Workspace): ReadonlySet<string> {
    const held = this.#held.get(`${device}-${inode}`);
    return new Set(held?.points.map(({ path }) => path));
  }

  /** Contract: `release` once, after the sandbox is gone; gives what was changed and so left. */
  hold(
    workspace: Workspace,
    path: string,
    guarded: readonly Guarded[],
  ): { readonly release: () => readonly string[] } {
    const key = `${workspace.device}-${workspace.inode}`;
    const held = this.#held.get(key) ?? {
      users: 0,
      points: [],
      ledger: join(this.#folder, `${key}.json`),
      path,
    };
    this.#held.set(key, held);
    held.users += 1;
    try {
      this.#add(workspace, held, guarded);
    } catch (error) {
      this.#release(key, held, workspace.descriptor);
      throw error;
    }
    return { release: () => this.#release(key, held, workspace.descriptor) };
  }

  #add(workspace: Workspace, held: Held, guarded: readonly Guarded[]): void {
    const before = held.points.length;
    for (const { path, how } of guarded) {
      if (how !== 'missing-file' && how !== 'missing-folder') continue;
      const made = make(workspace, path, how === 'missing-file' ? 'file' : 'folder');
      if (made !== undefined) held.points.push(made);
    }
    if (held.points.length === before) return;
    const { path, points } = held;
    writeFileSync(held.ledger, JSON.stringify({ workspace: path, points }), { mode: 0o600 });
  }

  #release(key: string, held: Held, root: number): readonly string[] {
    held.users -= 1;
    if (held.users > 0) return [];
    this.#held.delete(key);
    const left = removeAll(root, held.points);
    rmSync(held.ledger, { force: true });
    return left;
  }
}

/** Contract: `undefined` when another sandbox of the same workspace has made it already. */
function make(
  workspace: Workspace,
  path: string,
  kind: MountPoint['kind'],
): MountPoint | undefined {
  const folder = openFolder(workspace.descriptor, dirname(path));
  try {
    const place = below(folder, basename(path));
    const descriptor = kind === 'file' ? makeFile(place) : makeFolder(place);
    if (descriptor === undefined) return undefined;
    try {
      const { dev: device, ino: inode, uid, gid } = fstatSync(descriptor);
      const { owner } = workspace;
      if (uid !== owner.uid || gid !== owner.gid) fchownIfAble(descriptor, owner);
      return { path, kind, device, inode };
    } finally {
      closeSync(descriptor);
    }
  } finally {
    closeSync(folder);
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

/** Last made, first removed. Contract: only what is still the same, and still empty. */
function removeAll(root: number, points: readonly MountPoint[]): readonly string[] {
  return points.toReversed().flatMap((point) => (remove(root, point) ? [] : [point.path]));
}

function remove(root: number, { path, kind, device, inode }: MountPoint): boolean {
  try {
    const folder = openFolder(root, dirname(path));
    try {
      const place = below(folder, basename(path));
      const stat = lstatSync(place, { throwIfNoEntry: false });
      if (stat === undefined) return true;
      if (stat.dev !== device || stat.ino !== inode) return false;
      if (kind === 'file' && stat.size > 0) return false;
      if (kind === 'file') unlinkSync(place);
      else rmdirSync(place);
      return true;
    } finally {
      closeSync(folder);
    }
  } catch {
    // It holds something now, or cannot be reached: it is somebody else's, and is reported as left.
    return false;
  }
}

/** After a sudden end the ledger alone knows what was ours. */
function sweep(ledger: string): void {
  const text = readFileSync(ledger, 'utf8');
  rmSync(ledger);
  const parsed = LEDGER.safeParse(jsonOf(text));
  if (!parsed.success) return;
  try {
    using workspace = openWorkspace(parsed.data.workspace);
    removeAll(workspace.descriptor, parsed.data.points);
  } catch {
    // The workspace itself is gone, and what was in it.
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Half written when the end came.
    return undefined;
  }
}
