import { PalyraError } from '@palyra/kernel';
import { systemCode } from '@palyra/private-files';

/** Contract: what the system has against the file is thrown as HOME_UNSAFE, which names it. */
export function guarded<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const code = systemCode(error);
    if (error instanceof PalyraError || code === undefined) throw error;
    throw new PalyraError('HOME_UNSAFE', `\`${path}\` cannot be used: ${code}`, {
      cause: error,
      help: DENIED.has(code) ? OF_ANOTHER : OF_ANY_KIND,
    });
  }
}

const DENIED: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);
const OF_ANOTHER =
  'it belongs to another user: start this as that user, or unset `PALYRA_HOME` or set it to a directory of your own';
const OF_ANY_KIND =
  'see to it that you may read and write it, that Palyra made it, and that the disk has room';
