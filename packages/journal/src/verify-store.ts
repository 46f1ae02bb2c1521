import { dirname } from 'node:path';
import {
  type ChainFault,
  type ChainPoint,
  decodeEntry,
  faultAt,
  PalyraError,
  type Places,
  type SignedHead,
  type Signer,
  type VerifyReport,
} from '@palyra/kernel';
import { checkPrivateDirectory, hasPrivateFile } from '@palyra/private-files';
import { openDatabase } from './database.ts';
import { checkSchema, checkVersion, readVersion } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { ProjectionCheck, type StoreEnds } from './projection-check.ts';
import { isSettled, missingKey, readSigner } from './signing-key.ts';
import { isOwnHead, isSigned, type Store, storeGone, storeOver } from './store.ts';
import { storeFault } from './store-fault.ts';
import { startPoint } from './tables/statements.ts';
import { walkStore } from './store-walk.ts';
import { hashHex } from './platform-hash.ts';
import { countArchived, unknownToStore } from './verify-archive.ts';
import { broken, type Intact, intact } from './verify-report.ts';

export interface VerifyStoreOptions {
  readonly onProgress?: (entries: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Checks every entry, signature and table of the store. Needs no lock: it reads one snapshot, beside
 * a daemon that goes on writing or without one. Contract: whatever is wrong with what is stored is
 * `broken`; it rejects when there is nothing to check or no key to check with.
 */
export async function verifyStore(
  places: Places,
  options: VerifyStoreOptions = {},
): Promise<VerifyReport> {
  const reached: Reached = { start: 0, sequence: 0, head: 1 };
  try {
    const signer = readSigner(places);
    if (!hasPrivateFile(places.storeFile)) {
      throw isSettled(places)
        ? storeGone()
        : new PalyraError('NOT_FOUND', 'there is no journal yet');
    }
    checkPrivateDirectory(dirname(places.storeFile));
    if (signer === undefined) throw missingKey();
    using database = openDatabase({ file: places.storeFile, mode: 'read-only' });
    database.exec('BEGIN');
    checkVersion(readVersion(database), MIGRATIONS);
    checkSchema(database, MIGRATIONS);
    const store = storeOver(places.storeFile, database);
    const report = await checkStore(store, signer, { ...options, reached });
    return report.verdict === 'intact' ? await withArchive(report, store, places) : report;
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    const fault = storeFault(error);
    if (fault.code !== 'JOURNAL_CORRUPT') throw fault;
    // What cannot be read is the entry after the last good one, or lies beside the last one of all.
    const sequence = Math.min(reached.sequence + 1, reached.head);
    return broken({ sequence, reason: fault.message }, sequence - 1 - reached.start);
  }
}

/** How far it came before something could not be read at all. */
interface Reached {
  start: number;
  sequence: number;
  head: number;
}

/**
 * The verdict is about the store; that its beginning is elsewhere, and perhaps lost, is told beside it. An
 * archive that goes on where the store has other entries, or none, shows that it is not the newest.
 */
async function withArchive(report: Intact, store: Store, places: Places): Promise<VerifyReport> {
  const expected = (store.segments.oldest()?.number ?? 1) - 1;
  const { keyId, headHash: hash, lastSequence: sequence } = report;
  const hashAt = (at: number) => {
    const canonical = store.entries.read(at);
    return canonical === undefined ? undefined : hashHex(canonical);
  };
  const known = { last: expected, keyId, head: { sequence, hash }, hashAt };
  const unknown = await unknownToStore(places, known);
  if (unknown !== undefined) return broken(unknown, report.entries);
  return expected === 0 ? report : { ...report, archived: countArchived(places, expected) };
}

async function checkStore(
  store: Store,
  signer: Signer,
  { onProgress, signal, reached }: VerifyStoreOptions & { readonly reached: Reached },
): Promise<VerifyReport> {
  const signed = checkStatements(store, signer);
  if ('reason' in signed) return broken(signed, 0);
  const { start, head } = signed;
  Object.assign(reached, { start: start.sequence, sequence: start.sequence, head: head.sequence });
  const early = await checkFront(store, start);
  if (early !== undefined) return broken(early, 0);
  const projections = new ProjectionCheck(store, signed);
  const walked = await walkStore(store, {
    start,
    head,
    onEntry: (entry, link) => {
      reached.sequence = link.sequence;
      projections.add(entry, link);
    },
    onProgress,
    signal,
  });
  const { end, fault } = walked;
  if (fault !== undefined) {
    return broken(fault, Math.min(end.sequence, fault.sequence - 1) - start.sequence);
  }
  const past = checkEnd(store, end, head);
  if (past !== undefined) return broken(past, past.sequence - 1 - start.sequence);
  const late = checkTables(store, projections, head);
  if (late !== undefined) return broken(late, late.sequence - 1 - start.sequence);
  return intact(start, head, signer.keyId);
}

/** Only what a crash left of archived entries may lie before the start, and it must lead up to it. */
async function checkFront(store: Store, start: ChainPoint): Promise<ChainFault | undefined> {
  const first = store.entries.firstSequence();
  if (first === undefined || first > start.sequence) return undefined;
  if (first < 1) return { sequence: 1, reason: 'a row stands before the first entry' };
  const canonical = store.entries.read(first);
  const entry = canonical === undefined ? undefined : decodeEntry(canonical, '');
  if (entry === undefined) return { sequence: first, reason: 'it is not an entry' };
  const before = { sequence: first - 1, hash: entry.previousHash };
  const { end, fault } = await walkStore(store, { start: before, head: start, onEntry: () => {} });
  if (fault !== undefined || end.hash === start.hash) return fault;
  return { sequence: start.sequence, reason: 'it is not the one at which the store was cut' };
}

function checkStatements(store: Store, signer: Signer): StoreEnds | ChainFault {
  const start = store.statements.readStart(signer.keyId);
  if (start === 'malformed' || !isSigned(start, signer)) {
    return { sequence: 1, reason: 'the start of the store is not signed by our key' };
  }
  if (store.statements.hasStrangers()) {
    return { sequence: 1, reason: 'the store holds a statement that Palyra has not made' };
  }
  const stored = store.statements.readHead();
  const first = startPoint(start);
  if (stored === undefined || !isOwnHead(stored.head, signer)) {
    return { sequence: first.sequence + 1, reason: 'the head is not signed by our key' };
  }
  if (stored.head.sequence < first.sequence) {
    return { sequence: first.sequence + 1, reason: 'the store ends before it begins' };
  }
  return { start: first, ...stored };
}

function checkEnd(store: Store, end: ChainPoint, head: SignedHead): ChainFault | undefined {
  if (end.hash !== head.hash) {
    const fault = {
      sequence: head.sequence,
      reason: 'it is not the one that the signed head names',
    };
    const canonical = store.entries.read(head.sequence);
    return canonical === undefined ? fault : faultAt(canonical, fault);
  }
  const last = store.entries.lastSequence();
  if (last <= head.sequence) return undefined;
  return { sequence: head.sequence + 1, reason: 'it comes after the signed head' };
}

/** Indexes too: they must hold exactly what their tables hold. Entries have none. */
function checkTables(
  store: Store,
  projections: ProjectionCheck,
  head: SignedHead,
): ChainFault | undefined {
  const fault = projections.finish(store, head.sequence);
  if (fault !== undefined) return fault;
  const reason = checkIndexes(store);
  return reason === undefined ? undefined : { sequence: head.sequence, reason };
}

function checkIndexes({ database }: Store): string | undefined {
  const [finding] = database.prepare('PRAGMA integrity_check(runs)').get() ?? [];
  return finding === 'ok' ? undefined : 'an index of the runs is damaged';
}
