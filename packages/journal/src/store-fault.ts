import { PalyraError } from '@palyra/kernel';
import { systemCode } from '@palyra/private-files';

/** What SQLite found wrong, in the low byte of its result codes. */
const BUSY = 5;
const READ_ONLY = 8;
const DISK_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** Gives a failure of the store its name in the catalogue. A named fault stays what it is. */
export function storeFault(reason: unknown): PalyraError {
  if (reason instanceof PalyraError) return reason;
  switch (resultCode(reason)) {
    case CORRUPT:
    case NOT_A_DATABASE:
      return fault('JOURNAL_CORRUPT', 'the store is damaged', reason);
    case BUSY:
      return fault('JOURNAL_LOCKED', 'another process holds the store', reason);
    case FULL:
      return fault('JOURNAL_UNWRITABLE', 'the disk of the store is full', reason);
    case READ_ONLY:
      return fault('JOURNAL_UNWRITABLE', 'the store is read-only', reason);
    case DISK_ERROR:
      return fault('JOURNAL_UNWRITABLE', 'the disk of the store reports errors', reason);
    case CANNOT_OPEN:
      return fault('JOURNAL_UNWRITABLE', 'the store cannot be opened', reason);
    case undefined:
      return fault('JOURNAL_UNWRITABLE', systemMessage(reason), reason);
  }
  return fault('JOURNAL_UNWRITABLE', 'the store cannot be used', reason);
}

/** Contract: rejects with what `storeFault` makes of a failure. */
export async function guarded<Result>(read: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw storeFault(error);
  }
}

function fault(
  code: 'JOURNAL_CORRUPT' | 'JOURNAL_LOCKED' | 'JOURNAL_UNWRITABLE',
  message: string,
  cause: unknown,
) {
  return new PalyraError(code, message, { cause });
}

export function isBusy(reason: unknown): boolean {
  return resultCode(reason) === BUSY;
}

/** The low byte of SQLite's result code; `undefined` for anything that SQLite has not thrown. */
function resultCode(reason: unknown): number | undefined {
  if (!(reason instanceof Error) || !('errcode' in reason)) return undefined;
  return typeof reason.errcode === 'number' ? reason.errcode & 0xff : undefined;
}

function systemMessage(reason: unknown): string {
  switch (systemCode(reason)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return 'the disk of the store is full';
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'the store is read-only';
    case 'EIO':
      return 'the disk of the store reports errors';
    case undefined:
      return 'the store cannot be used';
  }
  return 'the store cannot be used';
}
