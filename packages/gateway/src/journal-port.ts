import type { Bytes, EntryDraft, EntryId, RunId, SealedEntry, SessionId } from '@palyra/kernel';
import type { RunStatus } from '@palyra/protocol';

/** The journal: the gateway's only memory. */
export interface JournalPort {
  /**
   * Contract: resolves once every draft is durable, all or none, next to one another and in order.
   * Rejects with JOURNAL_UNWRITABLE when that cannot be promised; nothing of it is then published.
   */
  append(drafts: readonly EntryDraft[]): Promise<readonly SealedEntry[]>;
  /** The newest entry that is durable; sequence 0 for an empty journal. */
  tip(): JournalTip;
  find(id: EntryId | number): Promise<SealedEntry | undefined>;
  /** Contract: ascending, at most `limit`; empty means that there is nothing after `after`, yet. */
  page(query: JournalPage): Promise<readonly SealedEntry[]>;
  /**
   * Newest first, at most `limit` of those that fit; fewer when they are large. Looks at a bounded
   * number of entries and says how far it came. Contract: ends early once the signal is aborted.
   */
  list(query: EntriesQuery): Promise<EntriesPage>;
  /** Contract: called in order, after entries are durable; a listener must not throw or wait. */
  subscribe(listener: (entries: readonly SealedEntry[]) => void): Disposable;
  /**
   * Lines of an export file without their newlines: header, entries, trailer. Contract: rejects with the
   * signal's reason soon after that is aborted, also where no line would have come for long.
   */
  exportLines(filter: ExportFilter, signal?: AbortSignal): AsyncIterable<Bytes>;
  /**
   * Moves every sealed segment whose entries all come before sequence `before` out of the store.
   * Contract: a segment leaves only after its file was read back and verified, and an entry in the
   * same transaction says so. One that a run which may go on still needs stays, and that run is named.
   */
  archive(before: number, actor: string): Promise<ArchiveOutcome>;
}

export interface ArchiveOutcome {
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

export interface JournalTip {
  readonly sequence: number;
  readonly hash: string;
}

export interface JournalPage {
  readonly after: number;
  readonly limit: number;
  readonly runId?: RunId;
}

/** Everything that is set must fit. */
export interface EntriesQuery {
  /** Only entries before this one. */
  readonly before?: number;
  readonly limit: number;
  /** Any of them; one that ends with a dot is the beginning of a kind. */
  readonly kinds?: readonly string[];
  readonly actor?: string;
  readonly runId?: RunId;
  readonly sessionId?: SessionId;
  /** By the moment in an entry's id, which is that of its time unless the clock was set back. */
  readonly since?: Date;
  /** Not part of it. */
  readonly until?: Date;
  /** In the canonical bytes; capital letters of ASCII count as small ones. */
  readonly text?: string;
  readonly signal?: AbortSignal;
}

export interface EntriesPage {
  /** Newest first; their bytes as they are stored. */
  readonly entries: readonly Pick<SealedEntry, 'canonical' | 'hash'>[];
  /** Everything from here up to `before` was looked at: what to go on before. */
  readonly searchedTo: number;
  /** There is nothing before. */
  readonly isEnd: boolean;
  /** When the search began. */
  readonly newestSequence: number;
}

/** Without either, every entry; a range has its ends with it, and goes as far as the store where it has none. */
export type ExportFilter =
  | { readonly runId?: RunId; readonly range?: undefined }
  | {
      readonly runId?: undefined;
      readonly range: { readonly from?: number; readonly to?: number };
    };
