import { PalyraError } from '@palyra/kernel';
import { systemCode } from '@palyra/private-files';

/** Contract: what the system or SQLite has against the file is thrown as HOME_UNSAFE, which names it. */
export function guarded<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof PalyraError || reason === undefined) throw error;
    const [what, help] = KNOWN.get(reason) ?? [`cannot be used: ${reason}`, OF_ANY_KIND];
    throw new PalyraError('HOME_UNSAFE', `\`${path}\` ${what}`, { cause: error, help });
  }
}

const OF_ANOTHER =
  'it belongs to another user: start this as that user, or unset `PALYRA_HOME` or set it to a directory of your own';
const OF_ANY_KIND =
  'see to it that you may read and write it, that Palyra made it, and that the disk has room';
const ROOM = 'free some space on that disk and try again';

/** What is said of a reason, and the way out of it. */
const KNOWN: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['EACCES', ['cannot be used: EACCES', OF_ANOTHER]],
  ['EPERM', ['cannot be used: EPERM', OF_ANOTHER]],
  ['ENOSPC', ['cannot be written: the disk is full', ROOM]],
  ['EDQUOT', ['cannot be written: your quota of the disk is used up', ROOM]],
  ['EROFS', ['cannot be written: the disk is read-only', 'make it writable and try again']],
]);

/** What SQLite has numbers for, as the system calls it. */
const SQLITE_REASONS: ReadonlyMap<number, string> = new Map([
  [8, 'EROFS'],
  [10, 'EIO'],
  [13, 'ENOSPC'],
]);

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return systemCode(error);
  // The rest of the number tells which of its calls failed.
  const number = Number(error.errcode) & 0xff;
  return SQLITE_REASONS.get(number) ?? `SQLite error ${number}`;
}
