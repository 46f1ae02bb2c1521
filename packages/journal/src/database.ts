import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** The little that the journal needs from SQLite; nothing else knows which binding is used. */
export interface Database extends Disposable {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  readonly isOpen: boolean;
  /** True between `begin` and the end of the transaction, also when that end has failed. */
  readonly isInTransaction: boolean;
}

export interface Statement {
  run(...values: readonly SqlValue[]): void;
  /** Contract: `undefined` when there is no row. */
  get(...values: readonly SqlValue[]): Row | undefined;
  /** Contract: the statement must not be used again before the iteration ends. */
  each(...values: readonly SqlValue[]): Iterable<Row>;
}

export type SqlValue = null | number | string | Uint8Array<ArrayBuffer>;
/** Values in the order in which the statement names them. */
export type Row = readonly unknown[];

export interface DatabaseOptions {
  readonly file: string;
  readonly mode: 'read-write' | 'read-only';
}

/** How long another process may hold a lock for a moment, as one that checkpoints does. */
const BUSY_TIMEOUT_MS = 2000;

/** Well above the largest entry; a damaged length must not fill the memory. */
export const MAX_VALUE_BYTES = 32 * 1024 * 1024;

export function openDatabase({ file, mode }: DatabaseOptions): Database {
  const isReader = mode === 'read-only';
  const database = new DatabaseSync(isReader && isAtRest(file) ? frozen(file) : file, {
    readOnly: isReader,
    timeout: BUSY_TIMEOUT_MS,
    defensive: true,
    allowExtension: false,
    enableDoubleQuotedStringLiterals: false,
    limits: { length: MAX_VALUE_BYTES },
  });
  // A schema that somebody else has written must not get to call functions, nor damaged cells pass.
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0');
  return {
    exec: (sql) => {
      database.exec(sql);
    },
    prepare: (sql) => prepare(database, sql),
    get isOpen() {
      return database.isOpen;
    },
    get isInTransaction() {
      return database.isTransaction;
    },
    [Symbol.dispose]: () => {
      if (database.isOpen) database.close();
    },
  };
}

/**
 * Whether nobody can be writing to it: its disk cannot be written, and it has no log that says more. SQLite
 * would want to put a file beside it even to read it.
 */
function isAtRest(file: string): boolean {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return false;
  try {
    accessSync(dirname(file), constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

function frozen(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return url;
}

function prepare(database: DatabaseSync, sql: string): Statement {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return {
    run: (...values) => {
      statement.run(...values);
    },
    get: (...values) => toRow(statement.get(...values)),
    *each(...values) {
      for (const row of statement.iterate(...values)) yield toRow(row) ?? [];
    },
  };
}

function toRow(row: unknown): Row | undefined {
  return Array.isArray(row) ? row : undefined;
}

/** One value of a row. Contract: throws when the store holds another type than the schema says. */
export function numberAt(row: Row, place: number): number {
  const value = row[place];
  if (typeof value !== 'number') throw new TypeError('the store holds no number here');
  return value;
}

export function textAt(row: Row, place: number): string {
  const value = row[place];
  if (typeof value !== 'string') throw new TypeError('the store holds no text here');
  return value;
}

export function bytesAt(row: Row, place: number): Uint8Array<ArrayBuffer> {
  const value = row[place];
  if (!(value instanceof Uint8Array) || !(value.buffer instanceof ArrayBuffer)) {
    throw new TypeError('the store holds no bytes here');
  }
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}
