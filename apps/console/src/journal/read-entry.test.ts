import { fromJsonString } from '@bufbuild/protobuf';
import { JournalEntrySchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { readEntry } from './read-entry.ts';

const ENTRY =
  '{"actor":"gateway","format":"palyra.journal.v1","id":"01JZ8Q6Y7D0M3W5K9RB2XN4TFC","kind":"run.ended",' +
  '"payload":{"list":[1,null,{"a":"b"}],"status":"RUN_STATUS_COMPLETED"},"previousHash":"00","runId":"r",' +
  '"sequence":"9007199254740991","sessionId":"s","time":"2026-01-01T00:00:00.000Z"}';
const bytes = (text: string) => new TextEncoder().encode(text);

describe('an entry that is read by hand', () => {
  it('says what the protocol itself would read from it', () => {
    expect(readEntry({ canonical: bytes(ENTRY) })).toEqual(
      fromJsonString(JournalEntrySchema, ENTRY),
    );
  });

  it('is none where the bytes are none', () => {
    for (const text of ['', '[]', '{"sequence":"x"}', '{"a"']) {
      expect(() => readEntry({ canonical: bytes(text) })).toThrow(/./);
    }
  });
});
