import { createReadStream, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type ArchiveCount,
  type ChainFault,
  type ChainPoint,
  GENESIS,
  PalyraError,
  type Places,
  type VerifyReport,
  verifyExport,
} from '@palyra/kernel';
import { checkPrivateDirectory, openPrivateFile, systemCode } from '@palyra/private-files';
import { readLines } from './lines.ts';
import { hashBytes } from './platform-hash.ts';
import { missingKey, readSigner } from './signing-key.ts';
import { storeFault } from './store-fault.ts';
import { broken, intact } from './verify-report.ts';

const SEGMENT_NAME = /^segment-(\d{6,})\.jsonl$/;

export function segmentFile(archiveDir: string, number: number): string {
  return `${archiveDir}/segment-${String(number).padStart(6, '0')}.jsonl`;
}

/**
 * Checks the archived segments, each and how they follow one another, from the first on, up to the last
 * that has left the store where that is known. Contract:
 * whatever a file holds wrongly is `broken` and names it; rejects with HOME_UNSAFE for a file or
 * directory that is not ours alone. No directory is an empty archive.
 */
export async function verifyArchive(
  places: Places,
  last = Number.POSITIVE_INFINITY,
): Promise<VerifyReport> {
  try {
    const signer = readSigner(places);
    if (signer === undefined) throw missingKey();
    const files = archiveFiles(places).filter((file) => numberOf(file) <= last);
    return await verifyFiles(files, signer.keyId);
  } catch (error) {
    throw storeFault(error);
  }
}

/** How many of the segments that have left the store are in the archive directory, by their names. */
export function countArchived(places: Places, expected: number): ArchiveCount {
  const present = new Set(archiveFiles(places));
  let found = 0;
  for (let number = 1; number <= expected; number += 1) {
    if (present.has(segmentFile(places.archiveDir, number))) found += 1;
  }
  if (found === expected) return { expected, found };
  const reason = `${expected - found} of ${expected} archived segments are not in the archive directory`;
  return { expected, found, reason };
}

export interface Known {
  /** The last segment that has left the store. */
  readonly last: number;
  readonly keyId: string;
  readonly head: ChainPoint;
  /** Contract: `undefined` for an entry that is not in the store. */
  readonly hashAt: (sequence: number) => string | undefined;
}

/**
 * What the archive tells, in segments that the store never let go of, and the store does not have. One that a
 * crash left before its segment was gone agrees with it; what our key has not signed tells nothing.
 */
export async function unknownToStore(
  places: Places,
  { last, keyId, head, hashAt }: Known,
): Promise<ChainFault | undefined> {
  for (const file of archiveFiles(places)) {
    if (numberOf(file) <= last) continue;
    const report = await readSegment(file, keyId, GENESIS);
    if (report.verdict === 'broken' || report.entries === 0) continue;
    if (hashAt(report.lastSequence) === report.headHash) continue;
    const reason = `\`${basename(file)}\` in the archive has other entries: an older copy of the store was put back`;
    return { sequence: Math.min(report.lastSequence, head.sequence + 1), reason };
  }
  return undefined;
}

/** Contract: opens first and then looks at what was opened, so that no pipe or link is read. */
async function verifyFile(file: string, expectedKeyId: string): Promise<VerifyReport> {
  const handle = openPrivateFile(file);
  if (handle === undefined) throw new PalyraError('NOT_FOUND', `\`${file}\` is gone`);
  // Whoever stops reading it, at its end or before, thereby closes it.
  const chunks = createReadStream(file, { fd: handle });
  return await verifyExport(readLines(chunks), { sha256: hashBytes, expectedKeyId });
}

async function verifyFiles(files: readonly string[], keyId: string): Promise<VerifyReport> {
  let end: ChainPoint = GENESIS;
  for (const file of files) {
    const report = await readSegment(file, keyId, end);
    if (report.verdict === 'broken') {
      const reason = `${report.fault.reason} (in \`${basename(file)}\`)`;
      return broken({ ...report.fault, reason }, end.sequence + report.entries);
    }
    if (report.firstSequence !== end.sequence + 1 || report.previousHash !== end.hash) {
      const reason = `the archived segment before \`${basename(file)}\` is missing`;
      return broken({ sequence: end.sequence + 1, reason }, end.sequence);
    }
    end = { sequence: report.lastSequence, hash: report.headHash };
  }
  return intact(GENESIS, end, keyId);
}

/** A file that is no export at all is, in the archive, a segment that is lost. */
export async function readSegment(
  file: string,
  keyId: string,
  end: ChainPoint,
): Promise<VerifyReport> {
  try {
    return await verifyFile(file, keyId);
  } catch (error) {
    if (!(error instanceof PalyraError) || error.code !== 'EXPORT_MALFORMED') throw error;
    return broken({ sequence: end.sequence + 1, reason: error.message }, 0);
  }
}

function numberOf(file: string): number {
  return Number(SEGMENT_NAME.exec(basename(file))?.[1]);
}

function archiveFiles({ archiveDir }: Places): readonly string[] {
  return namesIn(archiveDir)
    .filter((name) => SEGMENT_NAME.test(name))
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .map((name) => `${archiveDir}/${name}`);
}

function namesIn(archiveDir: string): readonly string[] {
  try {
    checkPrivateDirectory(archiveDir);
    return readdirSync(archiveDir);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
