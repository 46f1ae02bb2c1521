import { PalyraError } from '@palyra/kernel';
import { systemCode } from '@palyra/private-files';

/** Contract: what the system has against the file is thrown as AUTHORITY_UNUSABLE. */
export function guarded<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof PalyraError) throw error;
    const code = systemCode(error) ?? 'unknown';
    const isFull = NO_ROOM.has(code);
    const what = isFull ? 'cannot be written: the disk is full' : `cannot be used: ${code}`;
    throw new PalyraError('AUTHORITY_UNUSABLE', `\`${path}\` ${what}`, {
      cause: error,
      help: isFull ? ROOM : RIGHTS,
    });
  }
}

const NO_ROOM: ReadonlySet<string> = new Set(['EDQUOT', 'ENOSPC']);
const ROOM = 'free some space on that disk and try again';
const RIGHTS =
  'see to it that the user of the daemon may read and write it, and that the disk has room';
