import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PalyraError, quote } from '@palyra/kernel';

/** Where root's are: a command's user without rights has to pass, and cannot pass root's home. */
const OF_ROOT = '/var/lib/palyra/sandbox';
const PASSABLE = 0o711;

/**
 * Where everything of sandboxes lies on this machine: the user's own folder, or root's. Made when it is
 * missing. Contract: throws SANDBOX_UNAVAILABLE where it cannot be.
 */
export function sandboxFolder(own: string): string {
  const folder = sandboxPlace(own);
  try {
    if (!isRoot()) return makeFolder(own);
    for (const each of [dirname(OF_ROOT), OF_ROOT]) chmodSync(makeFolder(each), PASSABLE);
    return OF_ROOT;
  } catch (cause) {
    throw isRoot() && !isRootOfMachine() ? rootInName(cause) : noFolder(folder, cause);
  }
}

/** The same, whether it is there or not. */
export function sandboxPlace(own: string): string {
  return isRoot() ? OF_ROOT : own;
}

function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

/** In a user namespace others, or fewer, have these numbers. */
function isRootOfMachine(): boolean {
  return /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'));
}

function rootInName(cause: unknown): PalyraError {
  return new PalyraError(
    'SANDBOX_UNAVAILABLE',
    `the gateway is root of a user namespace alone, without rights to \`${OF_ROOT}\``,
    { cause, help: 'start it as the user that you are outside, without `unshare` around it' },
  );
}

function noFolder(folder: string, cause: unknown): PalyraError {
  return new PalyraError(
    'SANDBOX_UNAVAILABLE',
    `the folder ${quote(folder)} for sandboxes cannot be made`,
    {
      cause,
      help: 'look whether the disk is full or read-only, and whose the folders above it are',
    },
  );
}
