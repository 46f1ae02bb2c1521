import { type Dirent, closeSync, readdirSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';
import type { Guarded } from '../tier-c-bubblewrap/guard/scan.ts';
import { below, openFolder } from '../tier-c-bubblewrap/workspace.ts';

/** Something beside guarded names, relative to the workspace. */
export interface OpenEntry {
  readonly path: string;
  readonly kind: 'folder' | 'file';
}

/** Each is a rule, and a descriptor while the rules are made. */
export const MAX_OPEN = 16_384;

/**
 * Landlock gives a folder with everything below it and takes nothing back. So a folder that holds
 * guarded names is not given; what lies beside them is, one by one. Contract: in one order; links,
 * sockets, devices and names that are no text are left out. Throws SANDBOX_SCOPE_DENIED.
 */
export function siblings(workspace: number, guarded: readonly Guarded[]): readonly OpenEntry[] {
  const taken = new Set(guarded.map(({ path }) => path));
  const folders = ['', ...guarded.filter(({ how }) => how === 'pinned').map(({ path }) => path)];
  const found: OpenEntry[] = [];
  for (const folder of folders) {
    for (const entry of entriesOf(workspace, folder)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const kind = kindOf(entry);
      if (kind !== undefined && !taken.has(path)) found.push({ path, kind });
    }
    if (found.length > MAX_OPEN) throw tooMany();
  }
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** What stands for bytes that are no text. */
const UNREADABLE = '\u{fffd}';

function kindOf(entry: Dirent): OpenEntry['kind'] | undefined {
  if (entry.name.includes(UNREADABLE)) return undefined;
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() || entry.isFIFO() ? 'file' : undefined;
}

function entriesOf(workspace: number, folder: string): readonly Dirent[] {
  const descriptor = openFolder(workspace, folder === '' ? '.' : folder);
  try {
    return readdirSync(below(descriptor, '.'), { withFileTypes: true });
  } finally {
    closeSync(descriptor);
  }
}

function tooMany(): PalyraError {
  return new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    `the workspace holds more than ${MAX_OPEN} names beside guarded ones`,
    { help: 'choose a smaller folder, or use a machine that has bubblewrap' },
  );
}
