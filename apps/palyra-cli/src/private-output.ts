import type { Stats } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PalyraError } from '@palyra/kernel';

/**
 * The file appears whole or not at all, and only its owner can read it.
 * Contract: throws INVALID_INPUT for a name where no file of ours can be, before any of the content
 * is asked for. What is there and is no plain file stays as it is.
 */
export async function writePrivately(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    await refuseUnlessPlain(path);
    await writeInPlace(path, content);
  } catch (reason) {
    throw isDiskFault(reason) ? cannotWrite(path, reason) : reason;
  }
}

async function writeInPlace(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const partial = join(dirname(path), `.palyra-${process.pid}.partial`);
  // What a stopped process of the same number left behind.
  await rm(partial, { force: true });
  await using file = await open(partial, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
    await rename(partial, path);
  } catch (reason) {
    await rm(partial, { force: true });
    throw reason;
  }
}

/** A rename puts a file in the place of whatever is there: of a device, a pipe or a link, too. */
async function refuseUnlessPlain(path: string): Promise<void> {
  if (path === '') throw refused('the name of the file to write is empty');
  if (path.endsWith('/')) throw refused(`\`${path}\` names a directory`);
  const there = await lstat(path).catch(absentOrThrow);
  if (there === undefined || there.isFile()) return;
  throw refused(`\`${path}\` is ${kindOf(there)}, not a plain file`);
}

function absentOrThrow(reason: unknown): undefined {
  if (isDiskFault(reason) && reason.code === 'ENOENT') return undefined;
  throw reason;
}

function kindOf(there: Stats): string {
  if (there.isDirectory()) return 'a directory';
  if (there.isSymbolicLink()) return 'a symbolic link';
  if (there.isFIFO()) return 'a named pipe';
  return there.isSocket() ? 'a socket' : 'a device';
}

interface DiskFault extends Error {
  readonly code: unknown;
}

/** The platform names the call that failed; whatever else went wrong came with the content. */
function isDiskFault(reason: unknown): reason is DiskFault {
  return reason instanceof Error && 'syscall' in reason && 'code' in reason;
}

const WORDS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'its directory does not exist'],
  ['ENOTDIR', 'what should be its directory is a file'],
  ['EACCES', 'you may not write there'],
  ['ENOSPC', 'the disk is full'],
]);

function cannotWrite(path: string, cause: DiskFault): PalyraError {
  const words = WORDS.get(cause.code) ?? String(cause.code);
  return refused(`\`${path}\` cannot be written: ${words}`, cause);
}

function refused(message: string, cause?: DiskFault): PalyraError {
  return new PalyraError('INVALID_INPUT', message, {
    ...(cause === undefined ? {} : { cause }),
    help: 'name another file, or lead standard output there with `> FILE`',
  });
}
