import { lstatSync } from 'node:fs';
import {
  type ChainPoint,
  decodeEntry,
  GENESIS,
  headBytes,
  PalyraError,
  type SealedEntry,
  type SignedHead,
  type Signer,
  signHead,
} from '@palyra/kernel';
import { hasPrivateFile } from '@palyra/private-files';
import { type Database, openDatabase } from './database.ts';
import { applyMigrations, buildStore, checkSchema, migrateStore, openDraft } from './migrate.ts';
import { hashHex } from './platform-hash.ts';
import { isSignedWith } from './platform-signature.ts';
import { ActivityHours } from './tables/activity-hours.ts';
import { Entries } from './tables/entries.ts';
import { Projection } from './tables/projection.ts';
import { RecordsTable } from './tables/records.ts';
import { RuleDays } from './tables/rule-days.ts';
import { RunSpans } from './tables/run-spans.ts';
import { RunsTable } from './tables/runs.ts';
import { type Segment, Segments } from './tables/segments.ts';
import { type SignedStart, startPoint, Statements } from './tables/statements.ts';

/** The open store: a database and its tables. */
export interface Store extends Disposable {
  readonly file: string;
  readonly database: Database;
  readonly entries: Entries;
  readonly statements: Statements;
  readonly segments: Segments;
  readonly runSpans: RunSpans;
  readonly runs: RunsTable;
  readonly projection: Projection;
  readonly records: RecordsTable;
  readonly activityHours: ActivityHours;
  readonly ruleDays: RuleDays;
}

/** Where the store begins and ends, as its signed statements tell and its last entry confirms. */
export interface StoreState {
  readonly start: ChainPoint;
  readonly head: SignedHead;
  readonly lastId: string;
  readonly segment: Segment;
}

export interface StoreOptions {
  readonly file: string;
  readonly signer: Signer;
  readonly now: () => string;
  readonly migrations: readonly string[];
}

/** Contract: the caller holds the lock. Makes the store when there is none, migrates an older one. */
export function openStore(options: StoreOptions): Store {
  const { file, migrations } = options;
  const isThere = hasPrivateFile(file);
  if (isThere) migrateStore(file, migrations);
  else makeStore(options);
  const database = openDatabase({ file, mode: 'read-write' });
  try {
    // The migrations have made the other one just now.
    if (isThere) checkSchema(database, migrations);
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;
       PRAGMA journal_size_limit = ${MAX_IDLE_WAL_BYTES}`,
    );
    return storeOver(file, database);
  } catch (error) {
    database[Symbol.dispose]();
    throw error;
  }
}

export function storeOver(file: string, database: Database): Store {
  return {
    file,
    database,
    entries: new Entries(database),
    statements: new Statements(database),
    segments: new Segments(database),
    runSpans: new RunSpans(database),
    runs: new RunsTable(database),
    projection: new Projection(database),
    records: new RecordsTable(database),
    activityHours: new ActivityHours(database),
    ruleDays: new RuleDays(database),
    [Symbol.dispose]: () => database[Symbol.dispose](),
  };
}

/**
 * Contract: looks at both ends only, so that a long journal opens as fast as a short one. Throws
 * JOURNAL_CORRUPT unless the head is signed by our key and names the last entry.
 */
export function readState(store: Store, signer: Signer): StoreState {
  const stored = store.statements.readHead();
  if (stored === undefined) throw corrupt('the store has no head');
  const { head, segmentBytes } = stored;
  if (head.keyId !== signer.keyId) throw otherKey();
  if (!isOwnHead(head, signer)) throw corrupt('the head is not signed by our key');
  const start = readStart(store, signer);
  const open = store.segments.newest();
  if (open === undefined || open.firstSequence > head.sequence + 1) {
    throw corrupt('the newest segment begins after the head');
  }
  const segment = { ...open, lastSequence: head.sequence, bytes: segmentBytes };
  return { start, head, lastId: lastEntry(store, head, start)?.id ?? '', segment };
}

/** Once a checkpoint has emptied it, the write-ahead log keeps at most this much of the disk. */
const MAX_IDLE_WAL_BYTES = 16 * 1024 * 1024;

/**
 * A commit writes whole pages, and changes a little in each table, which speaks for small ones. Each
 * page is written by itself, which speaks for large ones. Twice the usual size was fastest. A store
 * keeps the size that it was made with.
 */
const PAGE_BYTES = 8 * 1024;

function makeStore({ file, signer, now, migrations }: StoreOptions): void {
  // SQLite would take it for the new store's, write it over what is there, and empty it.
  if (LOGS.some((ending) => isLeft(file + ending))) throw logLeft();
  buildStore(file, (draft) => {
    using database = openDraft(draft);
    database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    applyMigrations(database, migrations, 0);
    const head = signHead(GENESIS, now(), signer);
    new Statements(database).writeHead({ head, segmentBytes: 0 });
    // Kept in the file: set later, when it has its name, it would have to be made durable again.
    database.exec('PRAGMA journal_mode = WAL');
  });
}

/** What SQLite keeps beside a store. */
const LOGS = ['-wal', '-journal'];

function isLeft(log: string): boolean {
  const stats = lstatSync(log, { throwIfNoEntry: false });
  return stats !== undefined && !(stats.isFile() && stats.size === 0);
}

function logLeft(): PalyraError {
  return new PalyraError('JOURNAL_CORRUPT', 'the store is gone and its log is still there', {
    help: 'put the store back beside it, or move the log away with the key to begin a new journal',
  });
}

function readStart(store: Store, signer: Signer): ChainPoint {
  const start = store.statements.readStart(signer.keyId);
  if (start === 'malformed' || !isSigned(start, signer)) {
    throw corrupt('the start of the store is not signed by our key');
  }
  return startPoint(start);
}

export function isSigned(
  start: SignedStart | undefined,
  { publicKey }: Pick<Signer, 'publicKey'>,
): boolean {
  return start === undefined || isSignedWith(publicKey, start.canonical, start.signature);
}

export function isOwnHead(head: SignedHead, { keyId, publicKey }: Signer): boolean {
  return head.keyId === keyId && isSignedWith(publicKey, headBytes(head), head.signature);
}

function lastEntry(store: Store, head: SignedHead, start: ChainPoint): SealedEntry | undefined {
  if ((store.entries.firstSequence() ?? 1) < 1)
    throw corrupt('a row stands before the first entry');
  const last = store.entries.lastSequence();
  if (head.sequence === start.sequence && head.hash === start.hash && last <= start.sequence) {
    return undefined;
  }
  const canonical = last === head.sequence ? store.entries.read(last) : undefined;
  if (canonical === undefined) throw corrupt(`the store ends at ${last}, not at ${head.sequence}`);
  const entry = decodeEntry(canonical, hashHex(canonical));
  if (entry?.sequence !== last || entry.hash !== head.hash) {
    throw corrupt(`entry ${last} is not the one that the head names`);
  }
  return entry;
}

export function corrupt(message: string): PalyraError {
  return new PalyraError('JOURNAL_CORRUPT', message);
}

export function storeGone(): PalyraError {
  return new PalyraError('JOURNAL_CORRUPT', 'the signing key is there and the store is gone', {
    help: 'put the store back with its log (`-wal`), or move the key and that log away to begin a new journal',
  });
}

function otherKey(): PalyraError {
  return new PalyraError('JOURNAL_KEY_UNUSABLE', 'the journal was signed by another key');
}
