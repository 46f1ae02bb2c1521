import { type Database, numberAt, type Row, type Statement, textAt } from '../database.ts';

/** A range of entries that is archived as one. Every segment but the newest is sealed. */
export interface Segment {
  readonly number: number;
  readonly firstSequence: number;
  /** Of the entry before the first. */
  readonly previousHash: string;
  /** One less than the first while it is empty. */
  readonly lastSequence: number;
  readonly bytes: number;
}

/**
 * Table `segments`: where the one chain may be cut. The row of the open one stays as it was when it
 * began, empty, until it is sealed.
 */
export class Segments {
  readonly #all: Statement;
  readonly #oldest: Statement;
  readonly #newest: Statement;
  readonly #write: Statement;
  readonly #remove: Statement;

  constructor(database: Database) {
    const columns = 'number, first_sequence, previous_hash, last_sequence, bytes';
    this.#all = database.prepare(`SELECT ${columns} FROM segments ORDER BY number`);
    this.#oldest = database.prepare(`SELECT ${columns} FROM segments ORDER BY number LIMIT 1`);
    this.#newest = database.prepare(`SELECT ${columns} FROM segments ORDER BY number DESC LIMIT 1`);
    this.#write = database.prepare(
      `INSERT OR REPLACE INTO segments (${columns}) VALUES (?, ?, ?, ?, ?)`,
    );
    this.#remove = database.prepare('DELETE FROM segments WHERE number <= ?');
  }

  *all(): Iterable<Segment> {
    for (const row of this.#all.each()) yield toSegment(row);
  }

  oldest(): Segment | undefined {
    const row = this.#oldest.get();
    return row === undefined ? undefined : toSegment(row);
  }

  newest(): Segment | undefined {
    const row = this.#newest.get();
    return row === undefined ? undefined : toSegment(row);
  }

  write(segment: Segment): void {
    const { number, firstSequence, previousHash, lastSequence, bytes } = segment;
    this.#write.run(number, firstSequence, previousHash, lastSequence, bytes);
  }

  removeUpTo(number: number): void {
    this.#remove.run(number);
  }
}

/** The segment after one that is sealed at `hash`. */
export function nextSegment(sealed: Segment, hash: string): Segment {
  return {
    number: sealed.number + 1,
    firstSequence: sealed.lastSequence + 1,
    previousHash: hash,
    lastSequence: sealed.lastSequence,
    bytes: 0,
  };
}

function toSegment(row: Row): Segment {
  return {
    number: numberAt(row, 0),
    firstSequence: numberAt(row, 1),
    previousHash: textAt(row, 2),
    lastSequence: numberAt(row, 3),
    bytes: numberAt(row, 4),
  };
}
