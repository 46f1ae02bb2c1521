import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Places } from '@palyra/kernel';
import { type ConfigProblem, refuseAny } from './problem.ts';
import { codeOf, inspectOwnDirectory, inspectParent, unreadable } from './safe-file.ts';

/**
 * Makes the directories that are missing, for the owner alone. Those that exist are not changed:
 * who opened one to others should hear of it.
 * Contract: throws a ConfigError (HOME_UNSAFE with the `chmod`) unless every one of them is safe.
 */
export function prepareHome(places: Places): void {
  const directories = [
    places.configDir,
    places.stateDir,
    places.keysDir,
    dirname(places.storeFile),
    places.archiveDir,
  ];
  refuseAny(inspectHome(places));
  refuseAny(directories.flatMap((directory) => prepareDirectory(directory) ?? []));
}

/**
 * The problem of the directory that `PALYRA_HOME` names: both of ours lie in it. Those of XDG have
 * a directory each, which belongs to everything that the user runs and is not ours to judge.
 */
export function inspectHome({ configDir, stateDir }: Places): readonly ConfigProblem[] {
  const home = dirname(configDir);
  const problem = home === dirname(stateDir) ? inspectParent(home) : undefined;
  return problem === undefined ? [] : [problem];
}

function prepareDirectory(path: string): ConfigProblem | undefined {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    return unreadable({ kind: 'user', file: path }, codeOf(error));
  }
  return inspectOwnDirectory(path);
}
