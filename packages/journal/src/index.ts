export {
  type Activity,
  type ActivityHour,
  type ArchivedSegment,
  type ArchiveOutcome,
  type EntriesPage,
  type EntriesQuery,
  type EntryFilter,
  type EntryRange,
  type ExportFilter,
  type HoldingRun,
  type Journal,
  type JournalOptions,
  type Listener,
  type PageQuery,
  type Records,
  type RecordsChange,
  type RecordsQuery,
  type RecordWrite,
  type Runs,
  type RuleCount,
  type RunsQuery,
  type StoredEntry,
  type StoredRecord,
  type Tip,
} from './journal.ts';
export { openJournal } from './open-journal.ts';
export { type JournalSettings, journalSection } from './section.ts';
export { openSigner } from './signing-key.ts';
export { verifyArchive } from './verify-archive.ts';
export { type VerifyStoreOptions, verifyStore } from './verify-store.ts';
