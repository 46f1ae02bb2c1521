import { dirname } from 'node:path';
import { readdir } from 'node:fs/promises';
import {
  type ChainFault,
  type ChainPoint,
  faultAt,
  GENESIS,
  PalyraError,
  type Places,
  type SignedHead,
  type Signer,
  type VerifyReport,
  verifyHead,
} from '@palyra/kernel';
import { verifyFile } from './archive.ts';
import { openDatabase } from './database.ts';
import { checkSchema, checkVersion, readVersion } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { ProjectionCheck, type StoreEnds } from './projection-check.ts';
import { checkOwnDirectory, hasOwnFile } from './safe-files.ts';
import { missingKey, readSigner } from './signing-key.ts';
import { isSigned, type Store, storeOver } from './store.ts';
import { storeFault } from './store-fault.ts';
import { startPoint } from './tables/statements.ts';
import { walkStore } from './store-walk.ts';

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
  try {
    const signer = readSigner(places);
    if (!hasOwnFile(places.storeFile))
      throw new PalyraError('NOT_FOUND', 'there is no journal yet');
    checkOwnDirectory(dirname(places.storeFile));
    if (signer === undefined) throw missingKey();
    using database = openDatabase({ file: places.storeFile, mode: 'read-only' });
    database.exec('BEGIN');
    checkVersion(readVersion(database), MIGRATIONS);
    checkSchema(database, MIGRATIONS);
    return await checkStore(storeOver(places.storeFile, database), signer, options);
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    const fault = storeFault(error);
    if (fault.code !== 'JOURNAL_CORRUPT') throw fault;
    return broken({ sequence: 1, reason: fault.message }, 0);
  }
}

/** Checks the archived segments, each and how they follow one another, from the first on. */
export async function verifyArchive(places: Places): Promise<VerifyReport> {
  const signer = readSigner(places);
  if (signer === undefined) throw missingKey();
  const files = await archiveFiles(places);
  let end: ChainPoint = GENESIS;
  for (const file of files) {
    const report = await verifyFile(file, signer.keyId);
    if (report.verdict === 'broken') return { ...report, entries: end.sequence + report.entries };
    if (report.firstSequence !== end.sequence + 1 || report.previousHash !== end.hash) {
      const reason = 'the archived segment before it is missing';
      return broken({ sequence: end.sequence + 1, reason }, end.sequence);
    }
    end = { sequence: report.lastSequence, hash: report.headHash };
  }
  return intact(GENESIS, end, signer.keyId);
}

async function archiveFiles({ archiveDir }: Places): Promise<readonly string[]> {
  checkOwnDirectory(archiveDir);
  const names = await readdir(archiveDir);
  return names
    .filter((name) => /^segment-\d{6,}\.jsonl$/.test(name))
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .map((name) => `${archiveDir}/${name}`);
}

async function checkStore(
  store: Store,
  signer: Signer,
  { onProgress, signal }: VerifyStoreOptions,
): Promise<VerifyReport> {
  const signed = await checkStatements(store, signer);
  if ('reason' in signed) return broken(signed, 0);
  const { start, head } = signed;
  const projections = new ProjectionCheck(store, signed);
  const walked = await walkStore(store, {
    start,
    head,
    onEntry: (entry, link) => projections.add(entry, link),
    onProgress,
    signal,
  });
  const { end, fault } = walked;
  if (fault !== undefined) {
    return broken(fault, Math.min(end.sequence, fault.sequence - 1) - start.sequence);
  }
  const late = checkEnd(store, end, head) ?? checkTables(store, projections, head);
  if (late !== undefined) return broken(late, end.sequence - start.sequence);
  return intact(start, head, signer.keyId);
}

async function checkStatements(store: Store, signer: Signer): Promise<StoreEnds | ChainFault> {
  const start = store.statements.readStart(signer.keyId);
  if (start === 'malformed' || !(await isSigned(start, signer))) {
    return { sequence: 1, reason: 'the start of the store is not signed by our key' };
  }
  const stored = store.statements.readHead();
  const first = startPoint(start);
  if (stored === undefined || !(await isOwnHead(stored.head, signer))) {
    return { sequence: first.sequence + 1, reason: 'the head is not signed by our key' };
  }
  if (stored.head.sequence < first.sequence) {
    return { sequence: first.sequence + 1, reason: 'the store ends before it begins' };
  }
  return { start: first, ...stored };
}

async function isOwnHead(head: SignedHead, signer: Signer): Promise<boolean> {
  return head.keyId === signer.keyId && (await verifyHead(head, signer.publicKey));
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

function intact(start: ChainPoint, end: ChainPoint, keyId: string): VerifyReport {
  const entries = end.sequence - start.sequence;
  return {
    verdict: 'intact',
    entries,
    firstSequence: entries === 0 ? 0 : start.sequence + 1,
    lastSequence: entries === 0 ? 0 : end.sequence,
    previousHash: start.hash,
    headHash: end.hash,
    keyId,
  };
}

function broken(fault: ChainFault, entries: number): VerifyReport {
  return { verdict: 'broken', fault, entries };
}
