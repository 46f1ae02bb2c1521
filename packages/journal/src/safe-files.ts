import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { systemCode } from './store-fault.ts';

const OTHERS = 0o077;

/** Contract: afterwards the directory exists, is ours, and nobody else may enter it. */
export function makeOwnDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  checkOwnDirectory(path);
}

/** Contract: throws unless it is a directory of ours that nobody else may enter. */
export function checkOwnDirectory(path: string): void {
  const handle = openNoFollow(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    checkOwner(path, fstatSync(handle));
  } finally {
    closeSync(handle);
  }
}

/**
 * Contract: false when there is no such file; throws unless it is a plain file that only we may use.
 * It is not opened: closing it again would take the locks away that SQLite holds in this process.
 * Its directory was checked before, so nobody else can exchange it in between.
 */
export function hasOwnFile(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isFile()) throw unsafe(path, 'is not a plain file');
  checkOwner(path, stats);
  return true;
}

/** Contract: `undefined` when there is none; what was opened is a plain file that only we may use. */
export function openOwnFile(path: string): number | undefined {
  const handle = tryOpen(path);
  if (handle === undefined) return undefined;
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw unsafe(path, 'is not a plain file');
    checkOwner(path, stats);
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** Contract: the file is there whole and durable, or not at all. */
export async function writeDurably(
  path: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const draft = `${dirname(path)}/.${basename(path)}.${randomUUID()}`;
  try {
    await using file = await open(draft, 'wx', 0o600);
    for await (const chunk of chunks) await file.writeFile(chunk);
    await file.sync();
    renameDurably(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** SQLite would make it readable by others; an empty file of ours it fills as it is. */
export function makeOwnFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncPath(dirname(to));
}

export function syncPath(path: string): void {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function tryOpen(path: string): number | undefined {
  try {
    return openNoFollow(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function openNoFollow(path: string, flags: number): number {
  try {
    return openSync(path, flags | constants.O_NOFOLLOW);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ELOOP' || code === 'ENOTDIR') throw unsafe(path, 'is a link or not a directory');
    throw error;
  }
}

function checkOwner(path: string, stats: Stats): void {
  if (stats.uid !== process.getuid?.()) throw unsafe(path, 'belongs to another user');
  if ((stats.mode & OTHERS) === 0) return;
  const mode = stats.isDirectory() ? '700' : '600';
  throw new PalyraError('HOME_UNSAFE', `\`${path}\` is open to other users`, {
    help: `take their rights away with \`chmod ${mode} '${path}'\``,
  });
}

function unsafe(path: string, what: string): PalyraError {
  return new PalyraError('HOME_UNSAFE', `\`${path}\` ${what}`, {
    help: 'move it away and let Palyra make its own',
  });
}
