import { createReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Bytes, PalyraError, type VerifyReport, verifyExport } from '@palyra/kernel';
import type { ArchivedSegment } from './journal.ts';
import { exportRange, type ExportSource } from './journal-export.ts';
import { readLines } from './lines.ts';
import { hashBytes } from './platform-hash.ts';
import { writeDurably } from './safe-files.ts';
import { corrupt, type Store } from './store.ts';
import type { StoreWriter } from './store-writer.ts';
import type { Segment } from './tables/segments.ts';

export interface ArchiveOptions {
  readonly source: ExportSource;
  readonly writer: StoreWriter;
  readonly archiveDir: string;
}

/** Entries that are removed in one transaction: few, so that appends wait little. */
const ROWS_A_TURN = 512;
const NEWLINE: Bytes = new Uint8Array([10]);

export function segmentFile(archiveDir: string, number: number): string {
  return `${archiveDir}/segment-${String(number).padStart(6, '0')}.jsonl`;
}

/** Sealed segments that lie wholly before a sequence number, oldest first. */
export function sealedBefore(store: Store, before: number): readonly Segment[] {
  const segments = [...store.segments.all()];
  return segments.slice(0, -1).filter((segment) => segment.lastSequence < before);
}

/** Contract: `segment` is the oldest in the store. It leaves only when its file has been verified. */
export async function archiveSegment(
  { source, writer, archiveDir }: ArchiveOptions,
  segment: Segment,
): Promise<ArchivedSegment> {
  const { number, firstSequence, lastSequence, previousHash } = segment;
  const file = segmentFile(archiveDir, number);
  const start = { sequence: firstSequence - 1, hash: previousHash };
  await writeDurably(file, joined(exportRange(source, { start, lastSequence })));
  const report = await verifyFile(file, source.signer.keyId);
  if (report.verdict === 'broken')
    throw corrupt(`segment ${number} broke at ${report.fault.sequence}`);
  if (report.firstSequence !== firstSequence || report.lastSequence !== lastSequence) {
    throw corrupt(`segment ${number} does not hold the entries that it should`);
  }
  writer.cut(segment, report.headHash);
  return { number, firstSequence, lastSequence, file };
}

/** Removes the rows that lie before the start of the store, also those that a crash left behind. */
export async function removeArchived(store: Store, lastSequence: number): Promise<void> {
  let first = store.entries.firstSequence();
  while (first !== 0 && first <= lastSequence) {
    const upTo = Math.min(first + ROWS_A_TURN - 1, lastSequence);
    store.entries.removeUpTo(upTo);
    await nextTurn();
    first = store.entries.firstSequence();
  }
}

export async function verifyFile(file: string, expectedKeyId: string): Promise<VerifyReport> {
  const lines = readLines(createReadStream(file));
  return verifyExport(lines, { sha256: hashBytes, expectedKeyId });
}

export function assertQuiet(exports: number): void {
  if (exports === 0) return;
  throw new PalyraError('OVERLOADED', 'an export is being read', {
    help: 'wait for it to end, or end it, and archive again',
  });
}

async function* joined(lines: AsyncIterable<Bytes>): AsyncGenerator<Bytes, void, undefined> {
  for await (const line of lines) {
    yield line;
    yield NEWLINE;
  }
}
