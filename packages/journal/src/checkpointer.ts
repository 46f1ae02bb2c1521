import { type Database, numberAt, type Statement } from './database.ts';

/**
 * Soon enough that the log is written over and over in the same place, and that copying it holds the
 * event loop up for as long as some commits do, however fast the disk is.
 */
const CHECKPOINT_BYTES = 1.5 * 1024 * 1024;
/** Looking costs a little too. */
const COMMITS_BETWEEN_LOOKS = 4;

/**
 * Moves what is committed from the write-ahead log into the store, in pieces. Durability does not depend
 * on it; the size of the log does. A thread of its own would gain nothing: commits had to wait
 * for it, or the log could never begin anew.
 */
export class Checkpointer {
  readonly #frames: Statement;
  readonly #copy: Statement;
  readonly #pageBytes: number;
  #commits = 0;

  constructor(database: Database) {
    this.#frames = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#copy = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    this.#pageBytes = numberAt(database.prepare('PRAGMA page_size').get() ?? [], 0);
  }

  /** Contract: called after each commit; throws when the store is in trouble. */
  afterCommit(): void {
    this.#commits += 1;
    if (this.#commits % COMMITS_BETWEEN_LOOKS !== 0) return;
    // What somebody still reads stays where it is, for another time.
    if (this.#waitingBytes() >= CHECKPOINT_BYTES) this.#copy.run();
  }

  #waitingBytes(): number {
    const row = this.#frames.get() ?? [];
    return (numberAt(row, 1) - numberAt(row, 2)) * this.#pageBytes;
  }
}
