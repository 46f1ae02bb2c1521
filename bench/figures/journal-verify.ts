import { createHash, hash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Places } from '@palyra/kernel';
import { verifyStore } from '@palyra/journal';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';
import { cachedStore, openAt } from '../rig/stores.ts';

const VERIFY = 'verify the store';
const EACH = 'SHA-256, entry by entry';
const STREAM = 'SHA-256, one stream';
const PAGE_ENTRIES = 1_000;

export const journalVerify: Figure = {
  says: 'Verifying a whole store (chain, signatures and tables), against hashing the same bytes in memory.',
  targets: [{ kind: 'ratio', subject: VERIFY, baseline: EACH, limit: { atMost: 3 } }],
  measure: async (scale) => {
    const entries = scale === 'small' ? 1_000 : 200_000;
    const places = await cachedStore(entries);
    const text = await readEntries(places);
    const run = await interleave({
      title: 'verifying',
      quantity: DURATION,
      subjects: [
        subject(VERIFY, () => timeVerify(places, entries)),
        subject(EACH, async () => timeHashes(text)),
        subject(STREAM, async () => timeStream(text)),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 1, rounds: 7 }),
    });
    const megabytes = Math.round(text.bytes.length / 1e6);
    const notes = [
      `${entries} entries, ${megabytes} MB. Every entry of a chain has a hash of its own, and names the one before: whoever checks it starts anew at each entry, so hashing them one by one is what it is held to. One stream over all bytes proves nothing about a chain, and is there for comparison.`,
    ];
    return { runs: [run], notes };
  },
};

/** All entries in one buffer, so that the collector has nothing to do with them while time is taken. */
interface EntryText {
  readonly bytes: Buffer;
  readonly ends: readonly number[];
}

async function readEntries(places: Places): Promise<EntryText> {
  await using journal = await openAt(places);
  const chunks: Uint8Array[] = [];
  const ends: number[] = [];
  for (let after = 0, end = 0; after < journal.tip().sequence;) {
    for (const { canonical, sequence } of await journal.page({ after, limit: PAGE_ENTRIES })) {
      end += canonical.length;
      chunks.push(canonical);
      ends.push(end);
      after = sequence;
    }
  }
  return { bytes: Buffer.concat(chunks), ends };
}

async function timeVerify(places: Places, entries: number): Promise<number> {
  const startedAt = performance.now();
  const report = await verifyStore(places);
  const elapsedMs = performance.now() - startedAt;
  if (report.verdict !== 'intact' || report.entries !== entries) {
    throw new Error(`the store of the benchmark is ${report.verdict}`);
  }
  return elapsedMs;
}

function timeHashes({ bytes, ends }: EntryText): number {
  const startedAt = performance.now();
  let start = 0;
  for (const end of ends) {
    hash('sha256', bytes.subarray(start, end));
    start = end;
  }
  return performance.now() - startedAt;
}

function timeStream({ bytes }: EntryText): number {
  const startedAt = performance.now();
  createHash('sha256').update(bytes).digest();
  return performance.now() - startedAt;
}
