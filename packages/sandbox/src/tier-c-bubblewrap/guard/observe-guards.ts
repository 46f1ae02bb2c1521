import { closeSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { PalyraError, quote } from '@palyra/kernel';
import type { Libc } from '../../libc.ts';
import { type Whereabouts, whereabouts } from '../whereabouts.ts';
import { openFolder } from '../workspace.ts';
import type { Guarded } from './scan.ts';

export interface GuardsAt {
  readonly libc: Libc;
  /** The process that waits inside. */
  readonly pid: number;
  /** Where the workspace is inside, without the slash at its start. */
  readonly workspace: string;
  /** What it was to be. */
  readonly root: number;
  /** What was to lie on each name, in the order of the names. */
  readonly expected: readonly number[];
}

const O_PATH_FOLDER = 0o10000000 | 0o200000;

/**
 * Looks, from outside and through no link, whether each guarded name is what it was to be and a mount
 * of its own: somebody in the same workspace may have exchanged a folder while the mounts were made.
 * Contract: throws SANDBOX_FAILED; nothing may be started then.
 */
export function observeGuards(guarded: readonly Guarded[], at: GuardsAt): void {
  using stack = new DisposableStack();
  const root = stack.adopt(openSync(`/proc/${at.pid}/root`, O_PATH_FOLDER), closeSync);
  const workspace = stack.adopt(openFolder(root, at.workspace), closeSync);
  const here = whereabouts(at.libc, workspace, '');
  const wanted = expectations(at.libc);
  if (!isSame(here, wanted(at.root))) throw exchanged(at.workspace);
  const mounts = new Map([['.', here?.mount]]);
  for (const [place, { path }] of guarded.entries()) {
    const there = look(at.libc, workspace, path);
    if (!isSame(there, wanted(at.expected[place] ?? -1))) throw exchanged(path);
    if (there?.mount === mounts.get(dirname(path))) throw exchanged(path);
    mounts.set(path, there?.mount);
  }
}

/** Most names have one of a few masks on them: each is asked for once. */
function expectations(libc: Libc): (descriptor: number) => Whereabouts | undefined {
  const known = new Map<number, Whereabouts | undefined>();
  return (descriptor) => {
    const found = known.get(descriptor) ?? whereabouts(libc, descriptor, '');
    known.set(descriptor, found);
    return found;
  };
}

function look(libc: Libc, workspace: number, path: string): Whereabouts | undefined {
  const folder = dirname(path);
  if (folder === '.') return whereabouts(libc, workspace, path);
  const descriptor = openIfThere(workspace, folder);
  if (descriptor === undefined) return undefined;
  try {
    return whereabouts(libc, descriptor, basename(path));
  } finally {
    closeSync(descriptor);
  }
}

function isSame(one: Whereabouts | undefined, other: Whereabouts | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.device === other.device && one.inode === other.inode;
}

function openIfThere(workspace: number, folder: string): number | undefined {
  try {
    return openFolder(workspace, folder);
  } catch {
    return undefined;
  }
}

export function exchanged(path: string, cause?: unknown): PalyraError {
  return new PalyraError(
    'SANDBOX_FAILED',
    `${quote(path)} was exchanged while the sandbox was made, so nothing was started`,
    { cause, help: 'another command changes the same workspace; run it again when that has ended' },
  );
}
