import { closeSync, fstatSync, openSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { PalyraError, quote } from '@palyra/kernel';

/** A program file that is held: what was looked at is what can be started, whatever its name becomes. */
export interface Executable extends Disposable {
  /** Names the place alone; nothing was read through it. */
  readonly descriptor: number;
  /** The last part of the name by which it was called: many files decide by it what they are. */
  readonly calledAs: string;
  /** What the kernel calls the file, after every link. */
  readonly path: string;
  readonly identity: FileIdentity;
}

export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** Of content, owner, rights or name: the kernel sets it, and nobody else can. */
  readonly changedMs: number;
}

const O_PATH = 0o10000000;
const O_CLOEXEC = 0o2000000;
const ANY_EXECUTE = 0o111;
const SET_ID = 0o6000;

/**
 * The first of the candidates that is a program. Contract: throws SANDBOX_SPAWN_FAILED, each reason with its
 * own words; the caller closes what it gets.
 */
export function openExecutable(name: string, candidates: readonly string[]): Executable {
  let why = 'is not there';
  for (const path of candidates) {
    const opened = openOne(name, path);
    if (typeof opened !== 'string') return opened;
    if (opened !== MISSING) why = opened;
  }
  throw new PalyraError('SANDBOX_SPAWN_FAILED', `the program ${quote(name)} ${why}`);
}

export function identityOf(descriptor: number): FileIdentity {
  const { dev: device, ino: inode, size, ctimeMs: changedMs } = fstatSync(descriptor);
  return { device, inode, size, changedMs };
}

export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.device === other.device && one.inode === other.inode;
}

const MISSING = 'is not there';

function openOne(name: string, path: string): Executable | string {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_PATH | O_CLOEXEC);
  } catch {
    // Missing, too long, a circle of links, below something that is no folder: nothing that could be run.
    return MISSING;
  }
  const unfit = unfitness(descriptor);
  if (unfit !== undefined) {
    closeSync(descriptor);
    return unfit;
  }
  return {
    descriptor,
    calledAs: basename(name),
    path: readlinkSync(`/proc/self/fd/${descriptor}`),
    identity: identityOf(descriptor),
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

function unfitness(descriptor: number): string | undefined {
  const stat = fstatSync(descriptor);
  if (stat.isDirectory()) return 'is a folder';
  if (!stat.isFile()) return 'is not a file';
  if ((stat.mode & ANY_EXECUTE) === 0) return 'is not executable';
  if ((stat.mode & SET_ID) !== 0) return 'runs with the rights of its owner (set-id)';
  return undefined;
}
