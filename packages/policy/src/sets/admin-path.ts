import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { systemCode } from '@palyra/private-files';
import { type Complaint, unreadable } from './problems.ts';

const ROOT = 0;
const OTHERS_WRITE = 0o022;
/** As many as Linux follows. */
const MAX_LINKS = 40;

/** Whether only root can have put something at a path. */
export type PathTrust =
  | { readonly kind: 'trusted' }
  /** There is not even a directory that it would be in. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly complaint: Complaint };

/**
 * Looks at every directory above `path`: whoever may write to one of them can put another one in the
 * place of what root wrote, or take it away. A sticky bit does not help, since it keeps nobody from
 * adding. Links are followed step by step, so that each is one that root has set.
 */
export function trustInParents(path: string): PathTrust {
  try {
    return walk(dirname(path));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { kind: 'missing' };
    return { kind: 'refused', complaint: unreadable(error) };
  }
}

function walk(path: string): PathTrust {
  lstatSync(path);
  let at: string = sep;
  let links = 0;
  const steps = path.split(sep);
  let complaint = danger(at);
  while (complaint === undefined && steps.length > 0) {
    const step = steps.shift() ?? '';
    if (step === '' || step === '.') continue;
    const next = join(at, step);
    if (!lstatSync(next).isSymbolicLink()) {
      at = next;
      complaint = danger(at);
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return { kind: 'refused', complaint: TOO_MANY_LINKS };
    const target = readlinkSync(next);
    if (target.startsWith(sep)) at = sep;
    steps.unshift(...target.split(sep));
  }
  return complaint === undefined ? { kind: 'trusted' } : { kind: 'refused', complaint };
}

function danger(directory: string): Complaint | undefined {
  const { uid, mode } = lstatSync(directory);
  if (uid === ROOT && (mode & OTHERS_WRITE) === 0) return undefined;
  return {
    reason: `somebody other than root may exchange it: ${describe(directory, uid, mode)}`,
    help: 'have every directory above it belong to root, writable by nobody else',
  };
}

function describe(directory: string, uid: number, mode: number): string {
  const rights = (mode & 0o7777).toString(8).padStart(4, '0');
  return `\`${directory}\` belongs to uid ${uid}, mode ${rights}`;
}

const TOO_MANY_LINKS: Complaint = {
  reason: `more than ${MAX_LINKS} links lead to it`,
  help: 'put the directory itself there',
};
