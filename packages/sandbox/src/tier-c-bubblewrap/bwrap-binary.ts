import { type Stats, lstatSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';

/** The one that distributions allow to make namespaces; a copy elsewhere may not. */
export const BWRAP = '/usr/bin/bwrap';

/** Which program it is, so that what was proven with it is believed for no other. */
export interface BwrapIdentity {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  readonly changedMs: number;
}

const SET_ID = 0o6000;
const WRITABLE_BY_OTHERS = 0o022;

/** Contract: throws SANDBOX_UNAVAILABLE unless it is root's own, plain and changed by nobody else. */
export function identifyBwrap(path = BWRAP): BwrapIdentity {
  const stat = lookAtProgram(path);
  if (!stat.isFile()) throw unusable(path, 'is not a plain file');
  if (stat.uid !== 0) throw unusable(path, 'does not belong to root');
  if ((stat.mode & WRITABLE_BY_OTHERS) !== 0) throw unusable(path, 'can be changed by others');
  if ((stat.mode & SET_ID) !== 0) throw unusable(path, 'is set-id, which weakens it');
  const { dev: device, ino: inode, size, ctimeMs: changedMs } = stat;
  return { path, device, inode, size, changedMs };
}

/** Itself, and not what a link leads to. */
function lookAtProgram(path: string): Stats {
  try {
    return lstatSync(path);
  } catch (cause) {
    throw unusable(path, 'cannot be looked at', cause);
  }
}

function unusable(path: string, why: string, cause?: unknown): PalyraError {
  return new PalyraError('SANDBOX_UNAVAILABLE', `\`${path}\` ${why}`, {
    cause,
    help: 'install it with `apt-get install bubblewrap`',
  });
}
