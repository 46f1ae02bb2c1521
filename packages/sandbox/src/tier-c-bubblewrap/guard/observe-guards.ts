import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PalyraError, quote } from '@palyra/kernel';
import { openFolder, openPlace } from '../workspace.ts';
import type { Guarded } from './scan.ts';

export interface GuardsAt {
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
  const root = openSync(`/proc/${at.pid}/root`, O_PATH_FOLDER);
  try {
    const workspace = openFolder(root, at.workspace);
    try {
      if (!isSame(workspace, at.root)) throw exchanged(at.workspace);
      const mounts = new Map([['.', mountOf(workspace)]]);
      for (const [place, { path }] of guarded.entries()) {
        const mount = look(workspace, path, at.expected[place] ?? -1);
        if (mount === undefined || mount === mounts.get(dirname(path))) throw exchanged(path);
        mounts.set(path, mount);
      }
    } finally {
      closeSync(workspace);
    }
  } finally {
    closeSync(root);
  }
}

/** Contract: the number of the mount, or `undefined` when something else is there. */
function look(workspace: number, path: string, expected: number): string | undefined {
  const descriptor = openIfThere(workspace, path);
  if (descriptor === undefined) return undefined;
  try {
    return isSame(descriptor, expected) ? mountOf(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function isSame(one: number, other: number): boolean {
  const [there, wanted] = [fstatSync(one), fstatSync(other)];
  return there.dev === wanted.dev && there.ino === wanted.ino;
}

function openIfThere(workspace: number, path: string): number | undefined {
  try {
    return openPlace(workspace, path);
  } catch {
    return undefined;
  }
}

function mountOf(descriptor: number): string | undefined {
  return /^mnt_id:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
}

export function exchanged(path: string, cause?: unknown): PalyraError {
  return new PalyraError(
    'SANDBOX_FAILED',
    `${quote(path)} was exchanged while the sandbox was made, so nothing was started`,
    { cause, help: 'another command changes the same workspace; run it again when that has ended' },
  );
}
