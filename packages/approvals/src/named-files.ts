import type { NamedFile } from '@palyra/protocol';

/** The name of one that is not as it was, is gone or has come since; `undefined` when all are as they were. */
export function changedFile(
  shown: readonly NamedFile[],
  now: readonly NamedFile[],
): string | undefined {
  const before = statesOf(shown);
  const after = statesOf(now);
  return [...before.keys(), ...after.keys()].find((name) => before.get(name) !== after.get(name));
}

/** What is in a folder changes with all work in it; what is in a file that a command names is what it does. */
export function filesOf(named: readonly NamedFile[]): NamedFile[] {
  return named.filter(({ isFolder }) => !isFolder);
}

/**
 * What is not bound by its content is held against what the file system keeps of it. One name may lead
 * to two, in a cage and outside of one.
 */
function statesOf(named: readonly NamedFile[]): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  for (const { name, sha256, facts, notBound } of named) {
    states.set(name, [states.get(name) ?? '', sha256, facts, notBound].join('\n'));
  }
  return states;
}
