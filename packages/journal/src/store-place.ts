import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, PalyraError } from '@palyra/kernel';

interface KnownFile {
  readonly path: string;
  readonly identity: string | undefined;
}

/** A folder itself, and the moment at which a name in it changed last. */
interface FolderLook {
  readonly identity: string;
  readonly changedAtMs: number;
}

/** Two ticks of the slowest kernel: changes within one tick may be told as one moment. */
const TICKS_MS = 20;

/**
 * Knows which files were opened as the store. Somebody who moves, replaces or removes one of them
 * leaves us writing to a file that the next start would not find.
 *
 * Whoever does that changes their folder, so that a folder as it was speaks for the files. They are
 * not looked at each time: asking for the times of a file makes the kernel keep the moment of its
 * next write exactly, and then every flush of the log has to write its inode as well.
 */
export class StorePlace {
  readonly #files: readonly KnownFile[];
  readonly #folder: string;
  readonly #clock: Clock;
  /** INVARIANT: the files were in their place when the folder looked like this, and still are while it does. */
  #trusted: FolderLook | undefined;

  /** Contract: the store is open and was read, so that its write-ahead log is there. */
  constructor(storeFile: string, clock: Clock) {
    const paths = [storeFile, `${storeFile}-wal`];
    this.#files = paths.map((path) => ({ path, identity: identityOf(path) }));
    this.#folder = dirname(storeFile);
    this.#clock = clock;
  }

  /** Contract: throws JOURNAL_UNWRITABLE once a path leads elsewhere. A few microseconds. */
  assertKept(): void {
    // Before the look: a change that comes after it must not be of the same tick.
    const nowMs = this.#clock.now().getTime();
    const look = lookAt(this.#folder);
    if (look === undefined) throw notKept();
    if (isSame(look, this.#trusted)) return;
    for (const { path, identity } of this.#files) {
      if (identity === undefined || identityOf(path) !== identity) throw notKept();
    }
    this.#trusted = isSettled(look, nowMs) ? look : undefined;
  }
}

function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

function lookAt(folder: string): FolderLook | undefined {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  // Of a link that leads to it we would hear no change at all.
  if (stats?.isDirectory() !== true) return undefined;
  return { identity: `${stats.dev}:${stats.ino}`, changedAtMs: stats.ctimeMs };
}

function isSame(look: FolderLook, trusted: FolderLook | undefined): boolean {
  return look.changedAtMs === trusted?.changedAtMs && look.identity === trusted.identity;
}

/** Whether another change would be told as another moment. */
function isSettled({ changedAtMs }: FolderLook, nowMs: number): boolean {
  // A file system that counts in whole seconds would tell changes of a second as one.
  if (changedAtMs % 1_000 === 0) return false;
  return changedAtMs + TICKS_MS <= nowMs;
}

function notKept(): PalyraError {
  return new PalyraError(
    'JOURNAL_UNWRITABLE',
    'the store was moved, replaced or removed while it was open',
    { help: 'stop the daemon, put the store back from a backup, and start it again' },
  );
}
