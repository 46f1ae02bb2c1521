import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PalyraError, type Places, quote } from '@palyra/kernel';

/** Ours alone as long as it is held: what masks lie on in a workspace has one keeper. */
export interface Seat extends Disposable {
  readonly folder: string;
}

/** Where root's are: a command's user without rights has to pass, and cannot pass root's home. */
const OF_ROOT = '/var/lib/palyra/sandbox';
const PASSABLE = 0o711;

/**
 * One for each workspace, so that what a sudden end left in it is found and removed by the next.
 * Contract: throws CONFLICT while another process has it; the system lets go of it with its process.
 */
export function takeSeat(places: Places, workspace: string): Seat {
  const stat = statSync(workspace, { throwIfNoEntry: false });
  if (stat === undefined) {
    throw new PalyraError('SANDBOX_SCOPE_DENIED', `there is no folder ${quote(workspace)}`, {
      help: 'make it first, or name another with `--workspace`',
    });
  }
  const name = join(baseFor(places), `${stat.dev}-${stat.ino}`);
  const lock = lockFile(`${name}.lock`, workspace);
  return {
    folder: name,
    [Symbol.dispose]: () => {
      rmSync(name, { recursive: true, force: true });
      lock.close();
    },
  };
}

/** Where a sandbox can be tried without touching anybody's workspace. */
export function probeFolder(places: Places): string {
  const folder = join(baseFor(places), 'probe');
  mkdirSync(folder, { recursive: true });
  return folder;
}

function baseFor({ stateDir }: Places): string {
  if (process.geteuid?.() !== 0) return makeFolder(join(stateDir, 'sandbox'));
  for (const folder of [dirname(OF_ROOT), OF_ROOT]) chmodSync(makeFolder(folder), PASSABLE);
  return OF_ROOT;
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

const SQLITE_BUSY = 5;

/** Never removed: somebody may be about to lock it. It stays empty. */
function lockFile(path: string, workspace: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (cause) {
    database.close();
    const isBusy = cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY;
    if (!isBusy) throw cause;
    throw new PalyraError('CONFLICT', `another sandbox runs in ${quote(workspace)}`, {
      cause,
      help: 'wait until it has ended, or work in another folder',
    });
  }
}
