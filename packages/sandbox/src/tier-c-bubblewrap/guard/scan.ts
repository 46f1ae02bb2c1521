import { hash } from 'node:crypto';
import type { ChangeWatch } from './change-watch.ts';
import { Findings } from './findings.ts';
import type { FolderLists } from './folder-lists.ts';
import { MissingNames } from './missing.ts';
import type { MountPoint } from './mount-point.ts';
import type { GuardRules } from './rules.ts';
import { changesTooFast, tooLarge } from './scan-refusals.ts';
import { Walk } from './walk.ts';

/** A name in the workspace that must not be written, or not even be read. Relative to it. */
export interface Guarded {
  readonly path: string;
  readonly how:
    /** Bound to itself: cannot be renamed away with what is guarded in it. */
    | 'pinned'
    | 'read-only'
    /** There, and nobody can read it; a folder looks empty. */
    | 'sealed-file'
    | 'sealed-folder'
    /** Not there; an empty one is, which cannot be written, as long as the sandbox lives. */
    | 'missing-file'
    | 'missing-folder';
}

export interface Scanned {
  /** Ancestors first. */
  readonly guarded: readonly Guarded[];
  /** What ought to be guarded and cannot be, in words. */
  readonly weaknesses: readonly string[];
  /** SHA-256, in hex, of all of it. */
  readonly digest: string;
}

export interface ScanOptions {
  readonly rules: GuardRules;
  /** What stands there, at any moment, only because masks of ours lie on it: it counts as missing. */
  readonly ours: ReadonlyMap<string, Pick<MountPoint, 'kind'>>;
  /** At most `MAX_NAMES`, which it is when nothing is said. */
  readonly mostNames?: number;
  /** Is shown whatever the answer hangs on. */
  readonly watch?: ChangeWatch | undefined;
  /** Known already of an earlier look, and added to. Contract: of the same watch. */
  readonly lists?: FolderLists | undefined;
}

/** Every one is a mount, and the kernel's list of mounts is read for each. */
const MAX_GUARDED = 512;
const MAX_TRIES = 5;

/** Contract: the same tree gives the same answer. Rejects with SANDBOX_SCOPE_DENIED. */
export async function scan(workspace: number, options: ScanOptions): Promise<Scanned> {
  for (let left = MAX_TRIES; left > 0; left -= 1) {
    const walk = new Walk(workspace, options);
    const findings = new Findings(walk, options);
    await findings.gather();
    await findings.gatherLinked();
    new MissingNames(walk, findings, options).add();
    if (walk.hasMoved || findings.hasMissed) {
      options.lists?.clear();
      continue;
    }
    const guarded = listOf(findings.guarded);
    const { weaknesses } = findings;
    return { guarded, weaknesses, digest: digestOf(guarded, weaknesses) };
  }
  throw changesTooFast();
}

/** Names that other programs obey and that are there. Contract: rejects as `scan` does. */
export async function obeyedNames(
  workspace: number,
  options: ScanOptions,
): Promise<readonly string[]> {
  const walk = new Walk(workspace, options);
  const findings = new Findings(walk, options);
  await findings.gather();
  if (walk.hasMoved || findings.hasMissed) {
    options.lists?.clear();
    throw changesTooFast();
  }
  const obeyed = [...findings.guarded].filter(([, how]) => how === 'read-only');
  return obeyed.map(([path]) => path).toSorted();
}

function listOf(guarded: Map<string, Guarded['how']>): readonly Guarded[] {
  for (const path of guarded.keys()) pinAbove(guarded, path);
  if (guarded.size > MAX_GUARDED) {
    throw tooLarge(`holds more than ${MAX_GUARDED} names that must be guarded`);
  }
  return [...guarded]
    .map(([path, how]) => ({ path, how }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

function digestOf(guarded: readonly Guarded[], weaknesses: readonly string[]): string {
  const parts = [guarded.map(({ path, how }) => [how, path]), weaknesses];
  return hash('sha256', JSON.stringify(parts), 'hex');
}

/** A folder that is renamed takes what is mounted in it along. */
function pinAbove(guarded: Map<string, Guarded['how']>, path: string): void {
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    const above = path.slice(0, end);
    if (!guarded.has(above)) guarded.set(above, 'pinned');
  }
}
