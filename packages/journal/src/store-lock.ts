import { PalyraError } from '@palyra/kernel';
import { hasPrivateFile, makePrivateFile } from '@palyra/private-files';
import { type Database, openDatabase } from './database.ts';
import { isBusy } from './store-fault.ts';

/**
 * Keeps a second daemon out for as long as it is held; the system lets go of it with the process,
 * however that ends. A file of its own, so that readers of the store need not ask.
 */
export function lockStore(lockFile: string): Disposable {
  if (!hasPrivateFile(lockFile)) makePrivateFile(lockFile);
  const database = openDatabase({ file: lockFile, mode: 'read-write' });
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    throw lockFault(database, error);
  }
}

function lockFault(database: Database, error: unknown): unknown {
  database[Symbol.dispose]();
  if (!isBusy(error)) return error;
  return new PalyraError('DAEMON_RUNNING', 'another daemon uses this store', { cause: error });
}
