import { PalyraError } from '@palyra/kernel';
import { systemCode } from '@palyra/private-files';

/** Contract: what the system has against the file is thrown as AUTHORITY_UNUSABLE. */
export function guarded<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof PalyraError) throw error;
    const code = systemCode(error) ?? 'unknown';
    throw new PalyraError('AUTHORITY_UNUSABLE', `\`${path}\` cannot be used: ${code}`, {
      cause: error,
      help: 'see to it that the user of the daemon may read and write it, and that the disk has room',
    });
  }
}
