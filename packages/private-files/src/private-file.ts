import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { checkOneName, checkPlainFile } from './only-ours.ts';
import { openNoFollow } from './open-no-follow.ts';
import { systemCode } from './system-code.ts';

/**
 * Contract: false when there is no such file; throws unless it is a plain file that only we may use.
 * It is not opened: closing it again would take the locks away that SQLite holds in this process.
 * The caller has checked its directory, so nobody else can exchange it in between.
 */
export function hasPrivateFile(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  checkPlainFile(path, stats);
  return true;
}

/**
 * Contract: `undefined` when there is none; what was opened is a plain file that only we may use.
 * The caller closes the handle.
 */
export function openPrivateFile(path: string): number | undefined {
  const handle = openExisting(path);
  if (handle === undefined) return undefined;
  try {
    checkPlainFile(path, fstatSync(handle));
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/**
 * Contract: `undefined` when there is none; what was read is a plain file that only we may use. One
 * that is longer than the limit fails with EFBIG, as if the system had said so. With `one` of `names` a
 * file with a second one is refused, by what was opened and not by what stands there afterwards.
 */
export function readPrivateFile(
  path: string,
  limitBytes: number,
  names: 'any' | 'one' = 'any',
): string | undefined {
  const handle = openPrivateFile(path);
  if (handle === undefined) return undefined;
  // One byte more than allowed tells a file that is too long, also one that grows meanwhile.
  const bytes = Buffer.alloc(limitBytes + 1);
  try {
    if (names === 'one') checkOneName(path, fstatSync(handle));
    const length = fill(bytes, handle);
    if (length > limitBytes) throw tooLong(path, limitBytes);
    return bytes.toString('utf8', 0, length);
  } finally {
    bytes.fill(0);
    closeSync(handle);
  }
}

/**
 * An empty file for SQLite, which would make one that others may read and fills this as it is.
 * Contract: throws EEXIST when something is there already.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

function openExisting(path: string): number | undefined {
  try {
    return openNoFollow(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function fill(bytes: Buffer, handle: number): number {
  let length = 0;
  for (let read = 1; read > 0 && length < bytes.length; length += read) {
    read = readSync(handle, bytes, length, bytes.length - length, length);
  }
  return length;
}

function tooLong(path: string, limitBytes: number): Error {
  const error = new Error(`\`${path}\` is longer than ${limitBytes} bytes`);
  return Object.assign(error, { code: 'EFBIG' });
}
