export {
  type ArchivedSegment,
  type ExportFilter,
  type Journal,
  type JournalOptions,
  type Listener,
  type PageQuery,
  type Records,
  type RecordsChange,
  type RecordsQuery,
  type RecordWrite,
  type Runs,
  type RunsQuery,
  type StoredRecord,
  type Tip,
} from './journal.ts';
export { openJournal } from './open-journal.ts';
export { type JournalSettings, journalSection } from './section.ts';
export { openSigner } from './signing-key.ts';
export { verifyArchive } from './verify-archive.ts';
export { type VerifyStoreOptions, verifyStore } from './verify-store.ts';
