import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAMS_MARK, buildPrograms } from '../build.ts';
import { ROOT } from '../run.ts';
import { treeAt } from '../tree.ts';

/** Before the first test that starts a program: nobody tests what other sources were built into. */
export async function setup(): Promise<void> {
  if (isOutdated()) await buildPrograms();
}

function isOutdated(): boolean {
  const builtAt = modifiedAt(PROGRAMS_MARK);
  return treeAt(ROOT).paths.some(
    (path) => isSource(path) && modifiedAt(join(ROOT, path)) >= builtAt,
  );
}

/** As `./palyra` sees it, but for the console, which is no program. */
function isSource(path: string): boolean {
  const isBuilt = /^(apps|packages|tools)\//.test(path) || path === 'package-lock.json';
  return isBuilt && !/^(apps\/console|packages\/ui)\/|\.(test\.ts|md)$/.test(path);
}

/** Contract: long ago for what is not there. */
function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
