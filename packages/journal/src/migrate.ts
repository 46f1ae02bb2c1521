import { rmSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';
import { makePrivateFile, renameDurably, syncPath } from '@palyra/private-files';
import { type Database, numberAt, openDatabase, type Row } from './database.ts';

/**
 * Brings a store to the newest shape. Contract: the caller holds the lock. Works on a copy, which
 * takes the place of the original only when it is whole and durable; a failure leaves the original.
 */
export function migrateStore(file: string, migrations: readonly string[]): void {
  const version = storeVersion(file);
  checkVersion(version, migrations);
  if (version === migrations.length) return;
  buildStore(file, (draft) => {
    copyStore(file, draft);
    migrateCopy(draft, migrations, version);
    emptyLog(file);
  });
}

/** Contract: `build` finds an empty file and leaves a whole store that nobody has open. */
export function buildStore(file: string, build: (draft: string) => void): void {
  const draft = `${file}.draft`;
  removeDraft(draft);
  try {
    makePrivateFile(draft);
    build(draft);
    syncPath(draft);
    renameDurably(draft, file);
  } catch (error) {
    removeDraft(draft);
    throw error;
  }
}

/**
 * For building a draft. It waits for no disk and keeps no journal beside it: `buildStore` makes the
 * whole file durable before it gets its name, and what a crash leaves of a draft is thrown away.
 */
export function openDraft(draft: string): Database {
  const database = openDatabase({ file: draft, mode: 'read-write' });
  database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  return database;
}

export function applyMigrations(
  database: Database,
  migrations: readonly string[],
  from: number,
): void {
  for (const [index, migration] of migrations.entries()) {
    if (index < from) continue;
    database.exec(`BEGIN; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
}

export function checkVersion(version: number, migrations: readonly string[]): void {
  if (version > migrations.length) {
    throw new PalyraError(
      'JOURNAL_TOO_NEW',
      `the store has version ${version}, this Palyra knows ${migrations.length}`,
    );
  }
  if (version < 1) throw new PalyraError('JOURNAL_CORRUPT', 'the store has no version');
}

export function readVersion(database: Database): number {
  return numberAt(database.prepare('PRAGMA user_version').get() ?? NO_VERSION, 0);
}

/** Contract: throws unless tables, indexes and triggers are exactly those that the migrations make. */
export function checkSchema(database: Database, migrations: readonly string[]): void {
  using fresh = openDatabase({ file: ':memory:', mode: 'read-write' });
  applyMigrations(fresh, migrations, 0);
  if (describeSchema(fresh) !== describeSchema(database)) {
    throw new PalyraError('JOURNAL_CORRUPT', 'the tables of the store were changed');
  }
}

const NO_VERSION: Row = [0];

function storeVersion(file: string): number {
  using database = openDatabase({ file, mode: 'read-write' });
  return readVersion(database);
}

function copyStore(file: string, draft: string): void {
  using original = openDatabase({ file, mode: 'read-write' });
  original.prepare('VACUUM INTO ?').run(draft);
}

/** Nothing may stay behind in a write-ahead log: it would be replayed into the new file. */
function emptyLog(file: string): void {
  using original = openDatabase({ file, mode: 'read-write' });
  const [mode] = original.prepare('PRAGMA journal_mode = DELETE').get() ?? [];
  if (mode !== 'delete') throw new PalyraError('JOURNAL_LOCKED', 'another process reads the store');
}

function migrateCopy(draft: string, migrations: readonly string[], version: number): void {
  using copy = openDraft(draft);
  applyMigrations(copy, migrations, version);
  quickCheck(copy);
}

function quickCheck(database: Database): void {
  const [finding] = database.prepare('PRAGMA quick_check(1)').get() ?? [];
  if (finding !== 'ok') throw new PalyraError('JOURNAL_CORRUPT', 'the migrated store is damaged');
}

function describeSchema(database: Database): string {
  const rows = database.prepare(
    'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name',
  );
  return JSON.stringify([...rows.each()]);
}

function removeDraft(draft: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(draft + ending, { force: true });
}
