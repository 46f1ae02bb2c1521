import type { JournalEntry, JournalRecord } from '@palyra/protocol';
import { readEntry } from './read-entry.ts';

/** An entry of the list: what it says, if anybody can read it, and its bytes. */
export interface Row {
  readonly hash: string;
  readonly canonical: Uint8Array;
  readonly entry: JournalEntry | undefined;
}

export function toRow(record: JournalRecord): Row {
  return { hash: record.hash, canonical: record.canonical, entry: readable(record) };
}

function readable(record: JournalRecord): JournalEntry | undefined {
  try {
    return readEntry(record);
  } catch {
    // Damaged in the store: it is listed all the same, because that is what one came to see.
    return undefined;
  }
}
