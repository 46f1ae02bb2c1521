import { createHash } from 'node:crypto';
import { fromJsonString } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { type JournalEntry, JournalEntrySchema, type JournalRecord } from '@palyra/protocol';

export interface ReadRecord {
  readonly entry: JournalEntry;
  /** The bytes give the hash that the daemon names for them. */
  readonly isIntact: boolean;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Contract: throws JOURNAL_CORRUPT for bytes that are no entry. */
export function readRecord(record: JournalRecord): ReadRecord {
  const isIntact = sha256(record.canonical).toHex() === record.hash;
  try {
    const text = decoder.decode(record.canonical);
    return {
      entry: fromJsonString(JournalEntrySchema, text, { ignoreUnknownFields: true }),
      isIntact,
    };
  } catch (cause) {
    throw new PalyraError('JOURNAL_CORRUPT', 'an entry of the journal cannot be read', { cause });
  }
}

/** The platform's own, which is faster than the portable one. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
