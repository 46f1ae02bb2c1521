import {
  type ArchiveCount,
  type JsonObject,
  PalyraError,
  type VerifyReport,
  isJsonObject,
} from '@palyra/kernel';

/** What is wrong: with an entry that has a number or an id, or else with the file around them. */
export interface Fault {
  readonly sequence?: number;
  readonly entryId?: string;
  readonly reason: string;
}

export type Report =
  | (VerifyReport & { readonly verdict: 'intact' })
  | { readonly verdict: 'broken'; readonly entries: number; readonly fault: Fault };

/** The answer of `palyrad journal verify`. Whatever is not clearly intact is not intact. */
export function readVerifyReport(answer: JsonObject): Report {
  const { verdict, fault, archived } = answer;
  const entries = wholeNumber(answer, 'entries');
  if (verdict === 'intact') {
    return {
      verdict,
      entries,
      firstSequence: wholeNumber(answer, 'firstSequence'),
      lastSequence: wholeNumber(answer, 'lastSequence'),
      previousHash: words(answer, 'previousHash'),
      headHash: words(answer, 'headHash'),
      keyId: words(answer, 'keyId'),
      ...(isJsonObject(archived) ? { archived: readArchived(archived) } : {}),
    };
  }
  if (verdict !== 'broken' || !isJsonObject(fault)) throw unreadable();
  const { entryId } = fault;
  return {
    verdict,
    entries,
    fault: {
      ...(fault['sequence'] === undefined ? {} : { sequence: wholeNumber(fault, 'sequence') }),
      reason: words(fault, 'reason'),
      ...(typeof entryId === 'string' ? { entryId } : {}),
    },
  };
}

function readArchived(archived: JsonObject): ArchiveCount {
  const { reason } = archived;
  return {
    expected: wholeNumber(archived, 'expected'),
    found: wholeNumber(archived, 'found'),
    ...(typeof reason === 'string' ? { reason } : {}),
  };
}

/** A file that holds together and that another key has signed is not the file that was asked for. */
export function withKey(report: Report, keyId: string): Report {
  if (report.verdict === 'broken' || report.keyId === keyId) return report;
  const reason = `it is signed by another key, ${report.keyId}`;
  return { verdict: 'broken', entries: report.entries, fault: { reason } };
}

/** The entry that is bad. Contract: `undefined` when the fault lies in none; entries count from 1. */
export function badEntry({ sequence = 0, entryId }: Fault): string | undefined {
  if (sequence < 1) return entryId;
  return entryId === undefined ? `${sequence}` : `${sequence}, ${entryId}`;
}

function wholeNumber(from: JsonObject, name: string): number {
  const value = from[name];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw unreadable();
}

function words(from: JsonObject, name: string): string {
  const value = from[name];
  if (typeof value === 'string') return value;
  throw unreadable();
}

function unreadable(): PalyraError {
  return new PalyraError('UNEXPECTED', 'palyrad answered with a report that cannot be read');
}
