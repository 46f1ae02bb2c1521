import type { Bytes } from '@palyra/kernel';
import { bytesAt, type Database, numberAt, type Row, type Statement } from '../database.ts';

export interface Range {
  /** Not part of the range. */
  readonly after: number;
  readonly upTo: number;
}

export interface Block {
  readonly rows: number;
  /** Each entry, with a newline between; none of them holds one itself. */
  readonly joined: Uint8Array;
}

/**
 * Table `entries`: exactly the bytes that were hashed, and the place that they claim. There is no
 * other column, and hence nothing that could disagree with them.
 */
export class Entries {
  readonly #insert: Statement;
  readonly #read: Statement;
  readonly #range: Statement;
  readonly #ofRun: Statement;
  readonly #last: Statement;
  readonly #first: Statement;
  readonly #remove: Statement;
  readonly #block: Statement;

  constructor(database: Database) {
    const within = 'FROM entries WHERE sequence > ? AND sequence <= ?';
    this.#insert = database.prepare('INSERT INTO entries (sequence, canonical) VALUES (?, ?)');
    this.#read = database.prepare('SELECT canonical FROM entries WHERE sequence = ?');
    this.#range = database.prepare(`SELECT canonical ${within} ORDER BY sequence LIMIT ?`);
    this.#ofRun = database.prepare(
      `SELECT canonical ${within} AND instr(substr(canonical, -${TAIL_BYTES}), ?) > 0
       ORDER BY sequence LIMIT ?`,
    );
    this.#last = database.prepare('SELECT max(sequence) FROM entries');
    this.#first = database.prepare('SELECT min(sequence) FROM entries');
    this.#remove = database.prepare('DELETE FROM entries WHERE sequence <= ?');
    this.#block = database.prepare(
      `SELECT CAST(group_concat(canonical, char(10)) AS BLOB), count(canonical)
       FROM (SELECT canonical ${within} ORDER BY sequence)`,
    );
  }

  insert(sequence: number, canonical: Bytes): void {
    this.#insert.run(sequence, canonical);
  }

  read(sequence: number): Bytes | undefined {
    const row = this.#read.get(sequence);
    return row === undefined ? undefined : bytesAt(row, 0);
  }

  *range(range: Range, limit: number): Iterable<Bytes> {
    for (const row of this.#range.each(range.after, range.upTo, limit)) yield bytesAt(row, 0);
  }

  /** Those of one run, found in the bytes themselves: an index would double the price of an append. */
  *ofRun(range: Range, runId: string, limit: number): Iterable<Bytes> {
    const tail = encoder.encode(`"runId":"${runId}","sequence":"`);
    const rows = this.#ofRun.each(range.after, range.upTo, tail, limit);
    for (const row of rows) yield bytesAt(row, 0);
  }

  /** Contract: zero when there are none. */
  lastSequence(): number {
    return this.#edge(this.#last);
  }

  firstSequence(): number {
    return this.#edge(this.#first);
  }

  removeUpTo(sequence: number): void {
    this.#remove.run(sequence);
  }

  /**
   * Many entries in one value: far cheaper to read than each for itself.
   * Contract: throws when together they are larger than a value may be.
   */
  block(range: Range): Block {
    const row = this.#block.get(range.after, range.upTo) ?? EMPTY;
    const rows = numberAt(row, 1);
    return { rows, joined: rows === 0 ? new Uint8Array() : bytesAt(row, 0) };
  }

  #edge(statement: Statement): number {
    const row = statement.get() ?? EMPTY;
    return row[0] === null ? 0 : numberAt(row, 0);
  }
}

/**
 * The longest end of an entry from its run id on. Of a shorter end some payload is seen too, but
 * less than the text that is searched for, because the previous hash always lies between.
 */
const TAIL_BYTES = 142;
const EMPTY: Row = [0, 0];
const encoder = new TextEncoder();
