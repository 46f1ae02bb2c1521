import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Where root's are: a command's user without rights has to pass, and cannot pass root's home. */
const OF_ROOT = '/var/lib/palyra/sandbox';
const PASSABLE = 0o711;

/** Where everything of sandboxes lies on this machine: the user's own folder, or root's. Made when it is missing. */
export function sandboxFolder(own: string): string {
  if (process.geteuid?.() !== 0) return makeFolder(own);
  for (const folder of [dirname(OF_ROOT), OF_ROOT]) chmodSync(makeFolder(folder), PASSABLE);
  return OF_ROOT;
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
