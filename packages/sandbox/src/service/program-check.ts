import { constants, closeSync, fstatSync, openSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';

const WRITABLE_BY_ANYBODY = 0o002;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Looked at before it is started. Contract: throws SANDBOX_UNAVAILABLE unless it is a plain file that
 * not just anybody can change; `root's` for tools of the system, which root alone may change.
 */
export function checkProgram(path: string, whose: "root's" | 'ours'): void {
  const descriptor = open(path);
  try {
    const { mode, uid } = fstatSync(descriptor);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG)
      throw unusable(path, 'is not a plain file');
    const forbidden = whose === 'ours' ? WRITABLE_BY_ANYBODY : WRITABLE_BY_OTHERS;
    if ((mode & forbidden) !== 0) throw unusable(path, 'can be changed by others');
    if (whose === "root's" && uid !== 0) throw unusable(path, 'does not belong to root');
  } finally {
    closeSync(descriptor);
  }
}

function open(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    throw unusable(path, 'cannot be opened', cause);
  }
}

function unusable(path: string, why: string, cause?: unknown): PalyraError {
  return new PalyraError('SANDBOX_UNAVAILABLE', `\`${path}\` ${why}`, {
    cause,
    help: 'install Palyra anew, and on Linux the package `util-linux`',
  });
}
