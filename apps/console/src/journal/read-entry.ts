import { fromJsonString } from '@bufbuild/protobuf';
import { type JournalEntry, JournalEntrySchema, type JournalRecord } from '@palyra/protocol';

/** What an entry says. The bytes stay what they are: what is verified is never read from here. */
export function readEntry({ canonical }: JournalRecord): JournalEntry {
  const text = new TextDecoder().decode(canonical);
  return fromJsonString(JournalEntrySchema, text, { ignoreUnknownFields: true });
}
