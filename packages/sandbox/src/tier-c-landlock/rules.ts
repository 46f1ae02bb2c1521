import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { PalyraError, quote } from '@palyra/kernel';
import type { Libc } from '../libc.ts';
import { openFolder, openPlace } from '../tier-c-bubblewrap/workspace.ts';
import { type RuleSet, makeRules } from './kernel.ts';
import type { Place } from './plan.ts';
import { rightsOf } from './rights.ts';

export interface Roots {
  /** Both left open. */
  readonly workspace: number;
  readonly scratch: number;
}

const O_PATH = 0o10000000;
const BY_NAME = O_PATH | constants.O_NONBLOCK;

/** Contract: the caller disposes of it; throws SANDBOX_SCOPE_DENIED when the workspace is not what it was. */
export function rulesFor(libc: Libc, places: readonly Place[], roots: Roots): RuleSet {
  const rules = makeRules(libc);
  try {
    for (const place of places) allow(rules, place, roots);
    return rules;
  } catch (error) {
    rules[Symbol.dispose]();
    throw error;
  }
}

function allow(rules: RuleSet, place: Place, roots: Roots): void {
  const descriptor = openOf(place, roots);
  try {
    const kind = fstatSync(descriptor).isDirectory() ? 'folder' : 'other';
    if (isExchanged(place, kind)) throw exchanged(place.path);
    rules.allow(descriptor, rightsOf(place.grant, kind));
  } finally {
    closeSync(descriptor);
  }
}

/** What was a file when it was looked at is given as one, and not with everything that is below it now. */
function isExchanged({ of, grant }: Place, kind: 'folder' | 'other'): boolean {
  if (of !== 'workspace') return false;
  return kind === 'folder' ? grant === 'file' : grant === 'folder' || grant === 'list';
}

function openOf({ of, path }: Place, { workspace, scratch }: Roots): number {
  if (of === 'system') return openSync(path, BY_NAME);
  const root = of === 'workspace' ? workspace : scratch;
  try {
    return path === '.' ? openFolder(root, '.') : openPlace(root, path);
  } catch (cause) {
    throw exchanged(path, cause);
  }
}

function exchanged(path: string, cause?: unknown): PalyraError {
  return new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    `${quote(path)} was exchanged while the sandbox was made, so nothing was started`,
    { cause, help: 'another command changes the same workspace; run it again when that has ended' },
  );
}
