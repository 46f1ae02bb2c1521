import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Account } from '../tier-c-bubblewrap/mapped-workspace.ts';

/** Where probes run: a workspace of nobody's, and canaries in and around it. */
export interface Site extends Disposable {
  readonly workspace: string;
  /** A file outside the workspace that every user of the machine may read. */
  readonly outside: string;
  /** What stands in every canary, and in no other file. */
  readonly token: string;
  /** Seconds that no other program sleeps: so its processes are known from outside. */
  readonly nap: string;
  /** What the kernel hands core dumps to. */
  readonly corePattern: string;
}

const CORE_PATTERN = '/proc/sys/kernel/core_pattern';
/** About 30 years and up to 30 more. */
const LEAST_NAP = 1_000_000_000;

/**
 * Contract: `folder` is ours alone; nothing of the site stays there after it was disposed of. The
 * workspace is ours, or its owner's when one is named.
 */
export function openSite(folder: string, owner?: Account): Site {
  mkdirSync(folder, { recursive: true });
  const root = mkdtempSync(join(folder, 'proof-'));
  // A command's user without rights has to pass, and must still not get at the canary.
  chmodSync(root, 0o755);
  const token = `canary-${randomBytes(8).toString('hex')}`;
  const workspace = join(root, 'workspace');
  mkdirSync(join(workspace, '.git', 'hooks'), { recursive: true });
  mkdirSync(join(workspace, INNER));
  const outside = join(root, 'outside.txt');
  writeForAll(outside, `${token}\n`);
  writeFileSync(join(workspace, '.env'), `SECRET=${token}\n`);
  writeFileSync(join(workspace, '.git', 'config'), GIT_CONFIG);
  if (owner !== undefined) {
    for (const name of ['.', INNER]) chownSync(join(workspace, name), owner.uid, owner.gid);
  }
  return {
    workspace,
    outside,
    token,
    nap: `${LEAST_NAP + (randomBytes(4).readUInt32LE() % LEAST_NAP)}`,
    corePattern: readOr(CORE_PATTERN, ''),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Whatever mask the process has: a canary that nobody may read proves nothing. */
export function writeForAll(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o644);
}

export const GIT_CONFIG = '[core]\n\tbare = false\n';
/** Where probes make what they make on purpose: not every step lets them at the top. */
export const INNER = 'inner';
/** What the workspace holds at the start, and again at the end. */
export const FURNISHED = ['.env', '.git', INNER];

export function corePatternChanged({ corePattern }: Site): string {
  return readOr(CORE_PATTERN, '') === corePattern ? '' : 'the core pattern of the machine changed';
}

/** Contract: what it finds is a canary of ours, and is removed. */
export function foundAt(path: string): string {
  if (!existsSync(path)) return '';
  rmSync(path, { force: true });
  return `\`${path}\` was written`;
}

/** Processes of the machine that sleep our nap. */
export function sleepers({ nap }: Site): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readOr(`/proc/${pid}/cmdline`, '').includes(`\0${nap}\0`))
    .map(Number);
}

export function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Gone meanwhile, or nothing that we may see.
    return otherwise;
  }
}
