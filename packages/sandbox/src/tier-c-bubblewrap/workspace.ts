import { type Stats, closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import { PalyraError, quote } from '@palyra/kernel';

export interface Workspace extends Disposable {
  /** Of the folder itself; through no link on the way. */
  readonly descriptor: number;
  readonly device: number;
  readonly inode: number;
  readonly owner: { readonly uid: number; readonly gid: number };
}

const O_PATH = 0o10000000;
const PLACE = O_PATH | constants.O_NOFOLLOW;
const FOLDER = PLACE | constants.O_DIRECTORY;

/**
 * Walks from the root, one name at a time, and holds what it found: whoever exchanges a folder on
 * the way afterwards changes nothing for us. Contract: throws SANDBOX_SCOPE_DENIED.
 */
export function openWorkspace(path: string): Workspace {
  if (!path.startsWith('/')) throw denied(path, 'is not an absolute path');
  const names = path.split('/').filter((name) => name !== '');
  if (names.length === 0) throw denied(path, 'is the whole machine');
  if (path.includes('\0') || names.includes('..') || names.includes('.')) {
    throw denied(path, 'is not in one spelling');
  }
  const descriptor = openRoot(path, names);
  const { dev: device, ino: inode, uid, gid } = fstatSync(descriptor);
  return {
    descriptor,
    device,
    inode,
    owner: { uid, gid },
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

function openRoot(path: string, names: readonly string[]): number {
  try {
    return openStraight(`/${names.join('/')}`) ?? walkTo(names);
  } catch (cause) {
    throw denied(path, 'is not a folder that can be reached without a link', cause);
  }
}

/**
 * In one step, if the kernel says of what was opened that it is at that very place, which nothing is that a
 * link led to. Contract: `undefined` for whatever has to be walked to; throws as `open` does.
 */
function openStraight(path: string): number | undefined {
  const descriptor = openSync(path, FOLDER);
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) === path) return descriptor;
  } catch {
    // Whoever walks finds out why.
  }
  closeSync(descriptor);
  return undefined;
}

function walkTo(names: readonly string[]): number {
  const root = openSync('/', FOLDER);
  try {
    return openBeneath(root, names, FOLDER);
  } finally {
    closeSync(root);
  }
}

/** Only its place, through no link at all: what is bound is what was looked at. Contract: throws as `open` does. */
export function openPlace(root: number, path: string): number {
  return openBeneath(root, path.split('/'), PLACE);
}

export function openFolder(root: number, path: string): number {
  return openBeneath(root, path === '.' ? [] : path.split('/'), FOLDER);
}

/** What is there, itself and not what it points to. */
export function lookAt(root: number, path: string): Stats | undefined {
  try {
    const descriptor = openPlace(root, path);
    try {
      return fstatSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** The kernel's own name for a place below a descriptor. */
export function below(descriptor: number, name: string): string {
  return `/proc/self/fd/${descriptor}/${name}`;
}

function openBeneath(root: number, names: readonly string[], last: number): number {
  if (names.length === 0) return openSync(below(root, '.'), FOLDER);
  let descriptor = root;
  for (const [place, name] of names.entries()) {
    try {
      const flags = place === names.length - 1 ? last : FOLDER;
      const next = openSync(below(descriptor, name), flags);
      if (descriptor !== root) closeSync(descriptor);
      descriptor = next;
    } catch (error) {
      if (descriptor !== root) closeSync(descriptor);
      throw error;
    }
  }
  return descriptor;
}

function denied(path: string, why: string, cause?: unknown): PalyraError {
  return new PalyraError('SANDBOX_SCOPE_DENIED', `the workspace ${quote(path)} ${why}`, {
    cause,
    help: 'name the folder itself, by its full path',
  });
}
