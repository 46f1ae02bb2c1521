import type {
  Bytes,
  Clock,
  EntryDraft,
  EntryId,
  Ids,
  JsonObject,
  Places,
  RunId,
  SealedEntry,
  SessionId,
  Signer,
} from '@palyra/kernel';
import type { Run, RunStatus } from '@palyra/protocol';
import type { JournalSettings } from './section.ts';

/** What the journal offers. The gateway declares the part of it that it needs; this fits that part. */
export interface Journal extends AsyncDisposable {
  /**
   * Contract: resolves once every draft is durable, all or none, next to one another and in order.
   * Rejects with INVALID_INPUT for a draft that cannot be written, OVERLOADED when too much waits,
   * SHUTTING_DOWN after disposal, and otherwise JOURNAL_UNWRITABLE. After the last of these every
   * append is refused until the journal is opened anew: whether the failed write is on disk is open.
   */
  append(drafts: readonly EntryDraft[]): Promise<readonly SealedEntry[]>;
  /** The newest entry that is durable; sequence 0 for an empty journal. */
  tip(): Tip;
  find(id: EntryId | number): Promise<SealedEntry | undefined>;
  /**
   * Contract: ascending, at most `limit`; fewer when they would be large. Empty means that there is
   * nothing after `after`, yet.
   */
  page(query: PageQuery): Promise<readonly SealedEntry[]>;
  /**
   * Newest first, at most `limit` of those that fit the filter; fewer when they are large. Looks at
   * a bounded number of entries, and says how far it came. Contract: others get their turn meanwhile, and
   * of all searches and exports together one goes on in each.
   */
  list(query: EntriesQuery): Promise<EntriesPage>;
  /** Contract: called in order, after entries are durable; a listener must not throw or wait. */
  subscribe(listener: Listener): Disposable;
  /**
   * Lines of an export file without their newlines: header, entries, trailer. The file ends at the
   * tip of the moment in which it is begun. No segment can be archived while one is being read.
   * Contract: without its last line where the chain does not hold, then it throws JOURNAL_CORRUPT;
   * NOT_FOUND for a run that is not in the store, or whose beginning is archived, and for a range that
   * is not all in the store. The last line of a range that ends before the tip says nothing of the tip.
   * The store is read on up to the tip also after the last entry that was asked for: rejects with the
   * signal's reason soon after that is aborted.
   */
  exportLines(filter: ExportFilter, signal?: AbortSignal): AsyncIterable<Bytes>;
  readonly runs: Runs;
  readonly activity: Activity;
  readonly records: Records;
  /**
   * Moves every sealed segment whose entries all come before sequence `before` to the archive
   * directory, up to the first that a run which may go on has an entry in, and says which run that
   * is. Contract: a segment leaves
   * the store only after the chain was followed to the head and its file was read back and verified,
   * in one transaction with a `journal.archived` entry by `actor` that tells of it.
   */
  archive(before: number, actor: string): Promise<ArchiveOutcome>;
}

export interface JournalOptions {
  readonly places: Places;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Without one, the key in the keys directory signs. */
  readonly signer?: Signer;
  readonly settings: JournalSettings;
}

export interface Tip {
  readonly sequence: number;
  readonly hash: string;
}

export interface PageQuery {
  readonly after: number;
  readonly limit: number;
  readonly runId?: RunId;
}

/** Without either, every entry. */
export type ExportFilter =
  | { readonly runId?: RunId; readonly range?: undefined }
  | { readonly runId?: undefined; readonly range: EntryRange };

/** The ends are part of it; without one, it goes as far as the store does. */
export interface EntryRange {
  readonly from?: number;
  readonly to?: number;
}

export interface EntriesQuery extends EntryFilter {
  /** Only entries before this one. */
  readonly before?: number;
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** Everything that is set must fit. */
export interface EntryFilter {
  /** Any of them; one that ends with a dot is the beginning of a kind. */
  readonly kinds?: readonly string[];
  readonly actor?: string;
  readonly runId?: RunId;
  readonly sessionId?: SessionId;
  /**
   * By the moment in an entry's id, which is that of its time unless the clock was set back: ids
   * always rise, so that nothing has to be searched to find it.
   */
  readonly since?: Date;
  /** Not part of it. */
  readonly until?: Date;
  /** In the canonical bytes; capital letters of ASCII count as small ones. */
  readonly text?: string;
}

/** An entry's bytes as they are stored, read by nobody yet. */
export interface StoredEntry {
  readonly canonical: Bytes;
  readonly hash: string;
}

export interface EntriesPage {
  /** Newest first. */
  readonly entries: readonly StoredEntry[];
  /** Everything from here up to `before` was looked at: what to go on before. */
  readonly searchedTo: number;
  /** There is nothing before. */
  readonly isEnd: boolean;
  /** When the search began. */
  readonly newestSequence: number;
}

export type Listener = (entries: readonly SealedEntry[]) => void;

export interface ArchiveOutcome {
  /** Oldest first. */
  readonly segments: readonly ArchivedSegment[];
  /** Absent where nothing stayed that would have left without it. */
  readonly heldBy?: HoldingRun;
}

/** The oldest run that may go on, and how many sealed segments stay for it. */
export interface HoldingRun {
  readonly runId: string;
  readonly status: RunStatus;
  readonly segments: number;
}

export interface ArchivedSegment {
  readonly number: number;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly file: string;
}

/** Runs as the entries in the store tell them; archived runs are told by the archive. */
export interface Runs {
  get(runId: RunId): Promise<Run | undefined>;
  /** Newest first. */
  list(query: RunsQuery): Promise<readonly Run[]>;
  /** Runs that go on, or wait for the one before them. */
  active(): Promise<readonly Run[]>;
}

/** What was counted while entries were written, of archived ones too. */
export interface Activity {
  /** Hours in which something was counted, oldest first, from the one of `since` on: 9600 at most. */
  hours(since: Date): Promise<readonly ActivityHour[]>;
  /** How often each rule decided from the day of `since` on; the last 35 such days are kept. */
  rules(since: Date): Promise<readonly RuleCount[]>;
}

export interface ActivityHour {
  /** When it begins. */
  readonly start: Date;
  readonly runs: number;
  readonly callsAllowed: number;
  readonly callsAsked: number;
  readonly callsDenied: number;
  readonly callsFailed: number;
  readonly tokens: number;
  readonly costMicroUsd: number;
}

export interface RuleCount {
  readonly ruleId: string;
  readonly count: number;
  readonly lastAt: string;
}

export interface RunsQuery {
  readonly limit: number;
  readonly sessionId?: SessionId;
  /** Only those that were asked for before this one; none when it is not known. */
  readonly before?: RunId;
  /** Only those of this one. */
  readonly principal?: string;
}

/**
 * What other boxes register: JSON objects in named tables, each with a version. A change of them is
 * told by an entry of kind `records.changed` with the digest of each body, so that verifying the
 * store finds a record that was changed behind the journal's back.
 */
export interface Records {
  get(table: string, id: string): Promise<StoredRecord | undefined>;
  /**
   * Contract: ascending by id after `after`, or descending before `before`; at most `limit` and at
   * most 1000, fewer when they are large. Empty means that there is nothing more that way.
   */
  list(table: string, query: RecordsQuery): Promise<readonly StoredRecord[]>;
  count(table: string): Promise<number>;
  /** Rises with every committed write to the table, so that whoever caches or watches knows when to look again. */
  revision(table: string): number;
  /**
   * Contract: all writes and all entries are durable together, or nothing is. Resolves with the
   * entries and, after them, the one that tells of the writes: its sequence number is the new
   * version of every record written. Rejects with CONFLICT when a record is not at its expected
   * version, then nothing has changed and nothing was appended; otherwise as `append` does.
   */
  transact(change: RecordsChange): Promise<readonly SealedEntry[]>;
}

export interface StoredRecord {
  readonly id: string;
  /**
   * INVARIANT: the sequence number of the entry that tells of its newest change. It only rises, and
   * a record that was removed and made anew has one that no earlier record of this id ever had.
   */
  readonly version: number;
  readonly body: JsonObject;
}

/** Without either, from the first on. */
export type RecordsQuery =
  | { readonly limit: number; readonly after?: string }
  | { readonly limit: number; readonly before: string };

export interface RecordsChange {
  /** From 1 to 64, each of another record. */
  readonly writes: readonly RecordWrite[];
  /** At least one; the actor of the first is also that of the entry about the writes. */
  readonly entries: readonly EntryDraft[];
}

export interface RecordWrite {
  /** Lower-case letters, digits and underscores, at most 64. */
  readonly table: string;
  /** Printable ASCII without spaces, at most 128 characters. */
  readonly id: string;
  /** 0: it must not be there yet. */
  readonly expectedVersion: number;
  /** `undefined` removes it. At most `journal.entry_bytes`. */
  readonly body: JsonObject | undefined;
}
