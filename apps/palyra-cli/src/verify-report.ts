import { type JsonObject, PalyraError, type VerifyReport, isJsonObject } from '@palyra/kernel';

/** The answer of `palyrad journal verify`. Whatever is not clearly intact is not intact. */
export function readVerifyReport(answer: JsonObject): VerifyReport {
  const { verdict, fault } = answer;
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
    };
  }
  if (verdict !== 'broken' || !isJsonObject(fault)) throw unreadable();
  const { entryId } = fault;
  return {
    verdict,
    entries,
    fault: {
      sequence: wholeNumber(fault, 'sequence'),
      reason: words(fault, 'reason'),
      ...(typeof entryId === 'string' ? { entryId } : {}),
    },
  };
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
