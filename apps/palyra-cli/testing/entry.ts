import { createHash } from 'node:crypto';
import { type Bytes, canonicalBytes } from '@palyra/kernel';

export const ENTRY_TIME = '2026-01-01T00:00:00.000Z';

export interface WrittenEntry {
  readonly canonical: Bytes;
  readonly hash: string;
}

/** An entry as the journal would write it, in bytes and with their hash. */
export function writtenEntry(sequence: number, previousHash: string): WrittenEntry {
  const canonical = canonicalBytes({
    format: 'palyra.journal.v1',
    id: `01${'0'.repeat(22)}${String(sequence).padStart(2, '0')}`,
    sequence: `${sequence}`,
    time: ENTRY_TIME,
    kind: 'daemon.stopped',
    actor: 'test',
    payload: { reason: `number ${sequence}` },
    previousHash,
  });
  return { canonical, hash: createHash('sha256').update(canonical).digest('hex') };
}
