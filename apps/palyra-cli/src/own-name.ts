import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Environment } from '@palyra/kernel';
import type { Shell } from './command.ts';
import { commandLine } from './render/command-line.ts';
import { inline } from './render/words.ts';

/** What to type for this program in the directory where it was started. */
export function ownName({
  entryFile,
  environment,
}: Pick<Shell, 'entryFile' | 'environment'>): string {
  const root = dirname(dirname(entryFile));
  if (process.cwd() === root) return './palyra';
  const script = join(root, 'palyra');
  if (!existsSync(script)) return 'palyra';
  const named = nameOnPath(environment);
  const isOurs = named !== undefined && realpathSync(named) === realpathSync(script);
  return isOurs ? 'palyra' : inline(commandLine([script]));
}

/** What a shell would start by our name; a relative entry means something else in each directory. */
function nameOnPath(environment: Environment): string | undefined {
  return (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, 'palyra'))
    .find((path) => existsSync(path));
}
