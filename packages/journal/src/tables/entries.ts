import type { Bytes, SealedEntry } from '@palyra/kernel';
import {
  bytesAt,
  type Database,
  numberAt,
  type Row,
  type SqlValue,
  type Statement,
} from '../database.ts';

export interface Range {
  /** Not part of the range. */
  readonly after: number;
  readonly upTo: number;
}

type Placed = Pick<SealedEntry, 'sequence' | 'canonical'>;

/** Many entries in one value, with newlines between, and their number: cheaper than each for itself. */
export const BLOCK_SQL = `
  SELECT CAST(group_concat(canonical, char(10)) AS BLOB), count(canonical)
  FROM (SELECT canonical FROM entries WHERE sequence > ? AND sequence <= ? ORDER BY sequence)`;

/**
 * Table `entries`: exactly the bytes that were hashed, and the place that they claim. There is no
 * other column, and hence nothing that could disagree with them.
 */
export class Entries {
  readonly #inserts: readonly { readonly rows: number; readonly statement: Statement }[];
  readonly #read: Statement;
  readonly #range: Statement;
  readonly #backwards: Statement;
  readonly #ofRun: Statement;
  readonly #last: Statement;
  readonly #first: Statement;
  readonly #remove: Statement;

  constructor(database: Database) {
    const within = 'FROM entries WHERE sequence > ? AND sequence <= ?';
    this.#inserts = ROWS_AT_ONCE.map((rows) => ({
      rows,
      statement: database.prepare(
        `INSERT INTO entries (sequence, canonical) VALUES ${Array(rows).fill('(?, ?)').join()}`,
      ),
    }));
    this.#read = database.prepare('SELECT canonical FROM entries WHERE sequence = ?');
    this.#range = database.prepare(`SELECT canonical ${within} ORDER BY sequence LIMIT ?`);
    this.#backwards = database.prepare(
      `SELECT sequence, canonical ${within} ORDER BY sequence DESC LIMIT ?`,
    );
    this.#ofRun = database.prepare(
      `SELECT canonical ${within} AND instr(substr(canonical, -${TAIL_BYTES}), ?) > 0
       ORDER BY sequence LIMIT ?`,
    );
    this.#last = database.prepare('SELECT max(sequence) FROM entries');
    this.#first = database.prepare('SELECT min(sequence) FROM entries');
    this.#remove = database.prepare('DELETE FROM entries WHERE sequence > ? AND sequence <= ?');
  }

  insert(entries: readonly Placed[]): void {
    let done = 0;
    for (const { rows, statement } of this.#inserts) {
      for (; entries.length - done >= rows; done += rows) {
        const values: SqlValue[] = [];
        for (const { sequence, canonical } of entries.slice(done, done + rows)) {
          values.push(sequence, canonical);
        }
        statement.run(...values);
      }
    }
  }

  read(sequence: number): Bytes | undefined {
    const row = this.#read.get(sequence);
    return row === undefined ? undefined : bytesAt(row, 0);
  }

  *range(range: Range, limit: number): Iterable<Bytes> {
    for (const row of this.#range.each(range.after, range.upTo, limit)) yield bytesAt(row, 0);
  }

  /** Newest first. */
  *backwards(
    { after, upTo }: Range,
    limit: number,
  ): Iterable<readonly [sequence: number, canonical: Bytes]> {
    for (const row of this.#backwards.each(after, upTo, limit)) {
      yield [numberAt(row, 0), bytesAt(row, 1)];
    }
  }

  /** Those of one run, found in the bytes themselves: an index would double the price of an append. */
  *ofRun(range: Range, runId: string, limit: number): Iterable<Bytes> {
    const tail = encoder.encode(`"runId":"${runId}","sequence":"`);
    const rows = this.#ofRun.each(range.after, range.upTo, tail, limit);
    for (const row of rows) yield bytesAt(row, 0);
  }

  /** Contract: zero when there are none. */
  lastSequence(): number {
    return edge(this.#last) ?? 0;
  }

  /** Contract: `undefined` when there are none; a store that was changed may have one below 1. */
  firstSequence(): number | undefined {
    return edge(this.#first);
  }

  remove({ after, upTo }: Range): void {
    this.#remove.run(after, upTo);
  }
}

function edge(statement: Statement): number | undefined {
  const row = statement.get() ?? EMPTY;
  return row[0] === null ? undefined : numberAt(row, 0);
}

/**
 * The longest end of an entry from its run id on. Of a shorter end some payload is seen too, but
 * less than the text that is searched for, because the previous hash always lies between.
 */
const TAIL_BYTES = 142;
/** Calling SQLite costs as much as a row does, so that many go in one call; largest first, then the rest. */
const ROWS_AT_ONCE = [64, 32, 16, 8, 4, 2, 1];
const EMPTY: Row = [null];
const encoder = new TextEncoder();
