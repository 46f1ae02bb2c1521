import { verifyArchive, verifyStore } from '@palyra/journal';
import { PalyraError, type Places, type VerifyReport, quote } from '@palyra/kernel';

/** Checks the store and, when it begins where an archive ended, the archive before it too. */
export async function verifyStoredJournal(places: Places): Promise<VerifyReport> {
  try {
    const store = await verifyStore(places);
    if (store.verdict === 'broken') return behindArchive(await verifyArchive(places), store);
    if (store.firstSequence <= 1) return store;
    return joinReports(await verifyArchive(places, store.archived?.expected), store);
  } catch (reason) {
    throw withWayOut(PalyraError.from(reason), places);
  }
}

/** Whoever only looks has no use for what would help a daemon that writes, or whoever asks one. */
export function withWayOut(fault: PalyraError, { stateDir }: Places): PalyraError {
  if (fault.code === 'NOT_FOUND') {
    return new PalyraError(fault.code, fault.message, {
      help: 'start a gateway with `palyra up`, or name an export: `palyra journal verify FILE`',
    });
  }
  if (!isDenied(fault.cause)) return fault;
  return new PalyraError('HOME_UNSAFE', `${quote(stateDir)} may not be read by this user`, {
    cause: fault,
    help: 'start this as the user to whom it belongs, or unset `PALYRA_HOME`',
  });
}

function isDenied(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('code' in cause)) return false;
  return cause.code === 'EACCES' || cause.code === 'EPERM';
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
