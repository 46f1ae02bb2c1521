import { create } from '@bufbuild/protobuf';
import { GENESIS_HASH } from '@palyra/kernel';
import { type JournalRecord, JournalRecordSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { writtenEntry } from '../testing/entry.ts';
import { confirm } from './commands/journal/show.ts';
import { follows, readRecord } from './journal-record.ts';

function recordOf(sequence: number, previousHash: string): JournalRecord {
  return create(JournalRecordSchema, writtenEntry(sequence, previousHash));
}

const first = recordOf(1, GENESIS_HASH);
const second = readRecord(recordOf(2, first.hash));
const stranger = readRecord(recordOf(2, 'f'.repeat(64)));

describe('an entry of the journal', () => {
  it('is refused when the hash beside it is not its own', () => {
    const { canonical } = first;
    const record = create(JournalRecordSchema, { canonical, hash: 'f'.repeat(64) });
    expect(() => readRecord(record)).toThrow('entry 1 does not match its hash');
  });

  it('is refused when it is no entry', () => {
    const record = create(JournalRecordSchema, { canonical: new Uint8Array([0xff]) });
    expect(() => readRecord(record)).toThrow('an entry of the journal cannot be read');
  });

  it('follows only the one whose hash it names, right before it', () => {
    const before = readRecord(first);
    expect(follows(second.entry, before)).toBe(true);
    expect(follows(stranger.entry, before)).toBe(false);
    expect(follows(readRecord(recordOf(3, first.hash)).entry, before)).toBe(false);
  });

  it('is confirmed by the next one, and by nothing else', () => {
    const entry = readRecord(first);
    expect(confirm(entry, second)).toEqual({ chain: 'confirmed' });
    expect(confirm(entry, undefined)).toEqual({ chain: 'newest' });
    expect(confirm(entry, stranger)).toEqual({ chain: 'broken', nextNames: 'f'.repeat(64) });
  });
});
