import { sep } from 'node:path';
import { PalyraError, quote } from '@palyra/kernel';
import type { OwnPlaces } from './own-places.ts';

/** What the machine runs on; whoever may write there needs no sandbox to be everybody. */
const SYSTEM: readonly string[] =
  '/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /run /sbin /sys /usr'.split(' ');

/** A command works in a project, never on the gateway's own files or the machine's. Contract: throws. */
export function refuseOwnGround({ workspace, folders }: OwnPlaces): void {
  const below = workspace === sep ? sep : `${workspace}${sep}`;
  const holds = folders.some((folder) => folder === workspace || folder.startsWith(below));
  if (holds || isWithin(workspace, folders)) {
    throw denied(`the workspace ${quote(workspace)} holds files of the gateway itself`);
  }
  if (SYSTEM.includes(workspace) || isWithin(workspace, SYSTEM)) {
    throw denied(`the workspace ${quote(workspace)} is a part of the system`);
  }
}

function isWithin(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(`${folder}${sep}`));
}

function denied(reason: string): PalyraError {
  return new PalyraError('SANDBOX_SCOPE_DENIED', reason, {
    help: "work in a project's folder: start the gateway there, or name it with `--workspace`",
  });
}
