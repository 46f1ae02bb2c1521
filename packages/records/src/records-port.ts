import type { EntryDraft, JsonObject, SealedEntry } from '@palyra/kernel';

/** Where a box keeps what it knows: in the store, next to the journal, so that both change together. */
export interface RecordsPort {
  get(table: string, id: string): Promise<StoredRecord | undefined>;
  /** Ascending by id after `after`, or descending before `before`; at most `limit`, fewer when they are large. */
  list(table: string, query: RecordsQuery): Promise<readonly StoredRecord[]>;
  count(table: string): Promise<number>;
  /**
   * Rises with every committed write to the table. Contract: never older than what `get` would show,
   * because what was read is believed for as long as this stays the same.
   */
  revision(table: string): number;
  /**
   * Contract: all writes and all entries are durable together, or nothing is. Rejects with CONFLICT
   * when a record is not at its expected version; then nothing changed and nothing was appended.
   */
  transact(change: RecordsChange): Promise<readonly SealedEntry[]>;
}

/** Without either, from the first on. */
export type RecordsQuery =
  | { readonly limit: number; readonly after?: string }
  | { readonly limit: number; readonly before: string };

export interface StoredRecord {
  readonly id: string;
  readonly version: number;
  readonly body: JsonObject;
}

export interface RecordsChange {
  readonly writes: readonly RecordWrite[];
  readonly entries: readonly EntryDraft[];
}

export interface RecordWrite {
  readonly table: string;
  readonly id: string;
  /** 0: it must not be there yet. */
  readonly expectedVersion: number;
  /** Absent to remove it. */
  readonly body: JsonObject | undefined;
}
