import {
  constants,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { type Libc, openLibc } from '../libc.ts';
import { endStragglers } from './stragglers.ts';
import { sweepBlanks } from '../tier-c-bubblewrap/guard/blanks.ts';
import { MountPoints } from '../tier-c-bubblewrap/guard/mount-points.ts';

/** A folder of one process that makes sandboxes, as long as it lives. */
export interface Seat extends Disposable {
  readonly folder: string;
  /** What people wrote to masks of processes that are no more, and nobody could give back. */
  readonly kept: readonly string[];
}

const FLOCK = process.arch === 'arm64' ? 32 : 73;
/** Exclusive, and without waiting. */
const LOCK = 2 | 4;
/** Of each of their folders. */
export const SEAT_NAME = /^seat-[0-9a-f]{16}$/;
const PASSABLE = 0o711;
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const MOST_TRIES = 16;
const SWEEP_MS = 10_000;

/**
 * Takes one below `base` and clears up after those who are no more: the kernel lets go of a lock with
 * its process, however that ended, so a folder that can be locked is nobody's.
 */
export function takeSeat(base: string, sweepMs = SWEEP_MS): Seat {
  const libc = openLibc();
  const sweepOthers = () =>
    readdirSync(base)
      .filter((name) => SEAT_NAME.test(name))
      .flatMap((name) => sweep(libc, join(base, name)));
  const kept = sweepOthers();
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const folder = join(base, `seat-${randomBytes(8).toString('hex')}`);
    mkdirSync(folder, { mode: PASSABLE });
    const lock = lockFolder(libc, folder);
    if (lock !== undefined) return held({ folder, kept }, lock, { sweepOthers, sweepMs });
  }
  throw new PalyraError('SANDBOX_UNAVAILABLE', 'no folder for sandboxes could be locked');
}

interface Sweeping {
  readonly sweepOthers: () => unknown;
  readonly sweepMs: number;
}

function held(
  seat: Omit<Seat, typeof Symbol.dispose>,
  lock: number,
  { sweepOthers, sweepMs }: Sweeping,
): Seat {
  // Whoever ends while we are in the same workspace has to leave something there for us.
  const timer = setInterval(sweepOthers, sweepMs).unref();
  return {
    ...seat,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      clear(seat.folder);
      closeSync(lock);
      sweepOthers();
    },
  };
}

/** Contract: `undefined` for one that somebody has, or that was swept before we had it. */
function lockFolder(libc: Libc, folder: string): number | undefined {
  const descriptor = tryOpen(folder);
  if (descriptor === undefined) return undefined;
  if (libc.syscall(FLOCK, [descriptor, LOCK]) === 0 && isThere(folder)) return descriptor;
  closeSync(descriptor);
  return undefined;
}

function tryOpen(folder: string): number | undefined {
  try {
    return openSync(folder, FOLDER);
  } catch {
    // Another process has swept it meanwhile, or it is none of ours.
    return undefined;
  }
}

function isThere(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
}

/** Contract: gives what has to stay because it is somebody's. */
function sweep(libc: Libc, folder: string): readonly string[] {
  const lock = lockFolder(libc, folder);
  if (lock === undefined) return [];
  try {
    endStragglers(folder);
    const ledger = join(folder, 'ledger');
    // Made for its side effect: what was left in workspaces is taken away.
    if (isThere(ledger)) new MountPoints({ libc, folder: ledger, lingerMs: 0 })[Symbol.dispose]();
    const blanks = join(folder, 'blanks');
    const kept = isThere(blanks) ? sweepBlanks(blanks) : [];
    clear(folder);
    return kept;
  } finally {
    closeSync(lock);
  }
}

/**
 * INVARIANT: nothing is removed below a folder in which something is mounted, which may be somebody's
 * workspace, nor as long as its ledger knows of something that was left elsewhere, nor what somebody wrote.
 */
function clear(folder: string): void {
  const isNeeded = ['ledger', 'blanks'].some((name) => !isEmpty(join(folder, name)));
  if (isNeeded || hasMounts(folder)) return;
  rmSync(folder, { recursive: true, force: true });
}

function hasMounts(folder: string): boolean {
  return readFileSync('/proc/self/mountinfo', 'utf8').includes(` ${folder}/`);
}

function isEmpty(folder: string): boolean {
  return !isThere(folder) || readdirSync(folder).length === 0;
}
