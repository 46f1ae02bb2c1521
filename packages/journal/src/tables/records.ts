import { type Database, numberAt, type Row, type Statement, textAt } from '../database.ts';

/** A row of table `records`. */
export interface RecordRow {
  readonly table: string;
  readonly id: string;
  /** The sequence number of the entry that tells of the newest change. */
  readonly version: number;
  /** Canonical JSON. */
  readonly body: string;
}

export interface RecordsRange {
  readonly table: string;
  /** Not part of the range. */
  readonly after: string;
  readonly limit: number;
}

export interface RecordsRangeBefore {
  readonly table: string;
  /** Not part of the range. */
  readonly before: string;
  readonly limit: number;
}

/** Table `records`: the newest version of each record, written in one transaction with its entry. */
export class RecordsTable {
  readonly #get: Statement;
  readonly #version: Statement;
  readonly #range: Statement;
  readonly #rangeBefore: Statement;
  readonly #count: Statement;
  readonly #all: Statement;
  readonly #write: Statement;
  readonly #remove: Statement;

  constructor(database: Database) {
    const columns = 'table_name, id, version, body';
    const one = 'WHERE table_name = ? AND id = ?';
    this.#get = database.prepare(`SELECT ${columns} FROM records ${one}`);
    this.#version = database.prepare(`SELECT version FROM records ${one}`);
    this.#range = database.prepare(
      `SELECT ${columns} FROM records WHERE table_name = ? AND id > ? ORDER BY id LIMIT ?`,
    );
    this.#rangeBefore = database.prepare(
      `SELECT ${columns} FROM records WHERE table_name = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    );
    this.#count = database.prepare('SELECT count(*) FROM records WHERE table_name = ?');
    this.#all = database.prepare(`SELECT ${columns} FROM records`);
    this.#write = database.prepare(
      `INSERT INTO records (${columns}) VALUES (?, ?, ?, ?)
       ON CONFLICT (table_name, id) DO UPDATE SET version = excluded.version, body = excluded.body`,
    );
    this.#remove = database.prepare(`DELETE FROM records ${one}`);
  }

  get(table: string, id: string): RecordRow | undefined {
    const row = this.#get.get(table, id);
    return row === undefined ? undefined : toRecordRow(row);
  }

  /** Contract: zero when there is no such record. */
  version(table: string, id: string): number {
    const row = this.#version.get(table, id);
    return row === undefined ? 0 : numberAt(row, 0);
  }

  *range({ table, after, limit }: RecordsRange): Iterable<RecordRow> {
    for (const row of this.#range.each(table, after, limit)) yield toRecordRow(row);
  }

  /** Descending. */
  *rangeBefore({ table, before, limit }: RecordsRangeBefore): Iterable<RecordRow> {
    for (const row of this.#rangeBefore.each(table, before, limit)) yield toRecordRow(row);
  }

  count(table: string): number {
    return numberAt(this.#count.get(table) ?? NONE, 0);
  }

  *all(): Iterable<RecordRow> {
    for (const row of this.#all.each()) yield toRecordRow(row);
  }

  write({ table, id, version, body }: RecordRow): void {
    this.#write.run(table, id, version, body);
  }

  remove(table: string, id: string): void {
    this.#remove.run(table, id);
  }
}

const NONE: Row = [0];

function toRecordRow(row: Row): RecordRow {
  return {
    table: textAt(row, 0),
    id: textAt(row, 1),
    version: numberAt(row, 2),
    body: textAt(row, 3),
  };
}
