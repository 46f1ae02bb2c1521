import { closeSync, constants, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { PalyraError } from '@palyra/kernel';
import { codeOf } from './safe-file.ts';

/** A change takes a moment, so this is a long queue of them. */
const WAIT_MS = 10_000;

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
    throw lockFault(file, error);
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

function lockFault(file: string, cause: unknown): PalyraError {
  const reason = reasonOf(cause);
  switch (reason) {
    case 'EBUSY':
      return new PalyraError('OVERLOADED', 'the file is being changed by other processes', {
        cause,
        help: 'try again in a moment',
      });
    case 'ENOSPC':
    case 'EDQUOT':
      return new PalyraError('CONFIG_INVALID', `\`${file}\` cannot be changed: the disk is full`, {
        cause,
        help: 'free disk space and try again',
      });
    case 'EROFS':
      return new PalyraError(
        'CONFIG_INVALID',
        `\`${file}\` cannot be changed: the disk is read-only`,
        { cause, help: 'make it writable and try again' },
      );
  }
  const message = `\`${file}.lock\` cannot be locked: ${reason}`;
  const help = IN_THE_WAY.includes(reason)
    ? 'remove that file and try again'
    : 'free disk space or mend the rights of its directory';
  return new PalyraError('CONFIG_INVALID', message, { cause, help });
}

const NO_LOCK = 'it is no lock of ours';
/** A link, a directory, a pipe, a file of somebody else: nothing that we would ever put there. */
const IN_THE_WAY: readonly string[] = ['ELOOP', 'EISDIR', 'ENXIO', NO_LOCK];

/** What SQLite has numbers for, as the system calls it. */
const SQLITE_REASONS: ReadonlyMap<number, string> = new Map([
  [5, 'EBUSY'],
  [8, 'EROFS'],
  [13, 'ENOSPC'],
  [26, NO_LOCK],
]);

function reasonOf(error: unknown): string {
  if (!(error instanceof Error && 'errcode' in error)) return codeOf(error);
  const number = Number(error.errcode);
  return SQLITE_REASONS.get(number) ?? `SQLite error ${number}`;
}
