import { createHash } from 'node:crypto';
import { fromJsonString } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { type JournalEntry, JournalEntrySchema, type JournalRecord } from '@palyra/protocol';

export interface ReadRecord {
  readonly entry: JournalEntry;
  /** Of the bytes that came, made here. That the journal means these bytes, only the entry after it can say. */
  readonly hash: string;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Contract: throws JOURNAL_CORRUPT for bytes that are no entry, or not those of the hash beside them. */
export function readRecord(record: JournalRecord): ReadRecord {
  const hash = sha256(record.canonical).toHex();
  const entry = readEntry(record.canonical);
  if (hash === record.hash) return { entry, hash };
  throw new PalyraError('JOURNAL_CORRUPT', `entry ${entry.sequence} does not match its hash`);
}

/**
 * Whether `after` says that `before` is the entry before it.
 * Contract: the two stand next to each other, or the answer is no.
 */
export function follows(after: JournalEntry, before: ReadRecord): boolean {
  return after.sequence === before.entry.sequence + 1n && after.previousHash === before.hash;
}

function readEntry(canonical: Uint8Array): JournalEntry {
  try {
    const text = decoder.decode(canonical);
    return fromJsonString(JournalEntrySchema, text, { ignoreUnknownFields: true });
  } catch (cause) {
    throw new PalyraError('JOURNAL_CORRUPT', 'an entry of the journal cannot be read', { cause });
  }
}

/** The platform's own, which is faster than the portable one. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
