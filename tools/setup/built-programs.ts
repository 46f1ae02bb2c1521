import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CONSOLE_START } from '../build-console.ts';
import { PROGRAMS_MARK, buildPrograms } from '../build.ts';
import { ROOT, environment } from '../run.ts';
import { treeAt } from '../tree.ts';

/** Before the first test that starts a program: nobody tests what other sources were built into. */
export async function setup(): Promise<void> {
  if (isOutdated(PROGRAMS_MARK, isOfPrograms)) await buildPrograms();
  if (isOutdated(CONSOLE_START, isOfConsole)) await buildConsoleApart();
}

/** What a console is made for is told by a variable, which tests set for themselves. */
async function buildConsoleApart(): Promise<void> {
  const env = { ...environment(), NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, ['tools/build-console.ts'], { cwd: ROOT, env });
}

function isOutdated(built: string, isSource: (path: string) => boolean): boolean {
  const builtAt = modifiedAt(built);
  return treeAt(ROOT).paths.some(
    (path) => isSource(path) && modifiedAt(join(ROOT, path)) >= builtAt,
  );
}

const LEFT_OUT = /\.(?:test\.ts|md)$/;

/** As `./palyra` sees it, but for the console, which is no program. */
function isOfPrograms(path: string): boolean {
  const isBuilt = /^(?:apps|packages|tools)\//.test(path) || path === 'package-lock.json';
  return isBuilt && !/^(?:apps\/console|packages\/ui)\//.test(path) && !LEFT_OUT.test(path);
}

function isOfConsole(path: string): boolean {
  return (
    /^(?:apps\/console|packages\/(?:ui|client|kernel|protocol))\//.test(path) &&
    !LEFT_OUT.test(path)
  );
}

/** Contract: long ago for what is not there. */
function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
