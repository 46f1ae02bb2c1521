import { chmodSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { applyMigrations } from '../src/migrate.ts';
import { openDatabase } from '../src/database.ts';
import { MIGRATIONS } from '../src/migrations/index.ts';

/**
 * Turns a store of the newest shape into what an older version would have left of it: the tables of
 * that version, with those rows and columns that it knew.
 * Contract: nobody has the store open, and its tables tell of every entry in it.
 */
export function layOlder(file: string, version: number): void {
  const older = `${file}.older`;
  {
    using shape = openDatabase({ file: older, mode: 'read-write' });
    applyMigrations(shape, MIGRATIONS.slice(0, version), 0);
  }
  {
    using database = new DatabaseSync(older);
    database.prepare('ATTACH ? AS newest').run(file);
    for (const [table, columns] of columnsOf(database)) {
      database.exec(
        `DELETE FROM ${table}; INSERT INTO ${table} (${columns}) SELECT ${columns} FROM newest.${table}`,
      );
    }
  }
  for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true });
  renameSync(older, file);
  chmodSync(file, 0o600);
}

function columnsOf(database: DatabaseSync): readonly (readonly [string, string])[] {
  const tables = database.prepare(
    `SELECT t.name AS name, group_concat(c.name) AS columns
     FROM main.sqlite_schema AS t, pragma_table_info(t.name, 'main') AS c
     WHERE t.type = 'table' GROUP BY t.name`,
  );
  return tables.all().map(({ name, columns }) => [String(name), String(columns)]);
}
