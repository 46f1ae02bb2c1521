import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Places } from '@palyra/kernel';
import * as z from 'zod';
import { initial } from '../src/migrations/001-initial.ts';

const value = z.union([
  z.string(),
  z.number(),
  z.object({ base64: z.base64() }).transform(({ base64 }) => Buffer.from(base64, 'base64')),
]);
const fixture = z.object({
  signingKey: z.base64(),
  tables: z.record(z.string(), z.array(z.record(z.string(), value))),
});

/**
 * Puts a store where a journal looks for it that version 1 of the store's code has written: its
 * rows, and the key that was made for it and is used for nothing else. 14 entries, two runs.
 */
export function layVersion1(places: Places): void {
  const file = new URL('version-1.json', import.meta.url);
  const { signingKey, tables } = fixture.parse(JSON.parse(readFileSync(file, 'utf8')));
  for (const directory of [places.stateDir, places.keysDir, dirname(places.storeFile)]) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }
  const key = Buffer.from(signingKey, 'base64');
  writeFileSync(`${places.keysDir}/signing.key`, key, { mode: 0o600 });
  writeFileSync(places.storeFile, '', { mode: 0o600 });
  using database = new DatabaseSync(places.storeFile);
  database.exec(`${initial}; DELETE FROM segments; PRAGMA user_version = 1`);
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) insert(database, table, row);
  }
}

function insert(database: DatabaseSync, table: string, row: Record<string, SQLInputValue>): void {
  const columns = Object.keys(row);
  const marks = columns.map(() => '?').join();
  database
    .prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${marks})`)
    .run(...Object.values(row));
}
