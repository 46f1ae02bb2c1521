import { lstatSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';

interface KnownFile {
  readonly path: string;
  readonly identity: string | undefined;
}

/**
 * Knows which files were opened as the store. Somebody who moves, replaces or removes one of them
 * leaves us writing to a file that the next start would not find.
 */
export class StorePlace {
  readonly #files: readonly KnownFile[];

  /** Contract: the store is open and was read, so that its write-ahead log is there. */
  constructor(storeFile: string) {
    const paths = [storeFile, `${storeFile}-wal`];
    this.#files = paths.map((path) => ({ path, identity: identityOf(path) }));
  }

  /** Contract: throws JOURNAL_UNWRITABLE once a path leads elsewhere. A few microseconds. */
  assertKept(): void {
    for (const { path, identity } of this.#files) {
      if (identity === undefined || identityOf(path) !== identity) throw notKept();
    }
  }
}

function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

function notKept(): PalyraError {
  return new PalyraError(
    'JOURNAL_UNWRITABLE',
    'the store was moved, replaced or removed while it was open',
    { help: 'stop the daemon, put the store back from a backup, and start it again' },
  );
}
