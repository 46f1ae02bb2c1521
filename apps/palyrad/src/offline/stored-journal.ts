import { verifyArchive, verifyStore } from '@palyra/journal';
import type { Places, VerifyReport } from '@palyra/kernel';

/** Checks the store and, when it begins where an archive ended, the archive before it too. */
export async function verifyStoredJournal(places: Places): Promise<VerifyReport> {
  const store = await verifyStore(places);
  if (store.verdict === 'broken') return behindArchive(await verifyArchive(places), store);
  if (store.firstSequence <= 1) return store;
  return joinReports(await verifyArchive(places, store.archived?.expected), store);
}

type Intact = Extract<VerifyReport, { verdict: 'intact' }>;
type Broken = Extract<VerifyReport, { verdict: 'broken' }>;

/** The first bad entry of both counts, and all good ones before it. */
export function behindArchive(archive: VerifyReport, store: Broken): Broken {
  const { sequence } = store.fault;
  if (archive.verdict === 'broken') return archive.fault.sequence < sequence ? archive : store;
  return { ...store, entries: Math.min(archive.entries + store.entries, sequence - 1) };
}

/** An archive may be kept elsewhere; one that is here has to lead up to the store. */
export function joinReports(archive: VerifyReport, store: Intact): VerifyReport {
  if (archive.verdict === 'broken') return archive;
  if (archive.entries === 0) return store;
  if (archive.lastSequence + 1 !== store.firstSequence || archive.headHash !== store.previousHash) {
    const reason = 'the archived segment before it is missing or another one';
    return {
      verdict: 'broken',
      entries: archive.entries,
      fault: { sequence: store.firstSequence, reason },
    };
  }
  const { firstSequence, previousHash } = archive;
  return { ...store, entries: archive.entries + store.entries, firstSequence, previousHash };
}
