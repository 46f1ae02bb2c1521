import { closeSync, constants, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { PalyraError } from '@palyra/kernel';
import { codeOf } from './safe-file.ts';

/** A change takes a moment, so this is a long queue of them. */
const WAIT_MS = 10_000;
/** SQLITE_BUSY. */
const BUSY = 5;

/**
 * Keeps other processes away from a file while it is read, changed and written. The lock is one
 * that the system holds, on an empty file beside it: it ends with its process, however that ends,
 * so there is nothing to clean up and no process number to mistake for another.
 * Contract: waits at most ten seconds, then throws OVERLOADED. The directory is ours alone.
 */
export function lockFile(file: string): Disposable {
  const path = `${file}.lock`;
  try {
    makeFile(path);
    return hold(path);
  } catch (error) {
    throw lockFault(path, error);
  }
}

/** Made here, because SQLite would follow a link and leave the mode to chance. */
function makeFile(path: string): void {
  const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
  closeSync(openSync(path, O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_RDWR, 0o600));
}

function hold(path: string): Disposable {
  const database = new DatabaseSync(path, { timeout: WAIT_MS, defensive: true });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
}

function lockFault(path: string, error: unknown): PalyraError {
  if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) {
    return new PalyraError('OVERLOADED', 'the file is being changed by other processes', {
      cause: error,
      help: 'try again in a moment',
    });
  }
  return new PalyraError('CONFIG_INVALID', `\`${path}\` cannot be locked: ${codeOf(error)}`, {
    cause: error,
    help: 'remove that file and try again',
  });
}
