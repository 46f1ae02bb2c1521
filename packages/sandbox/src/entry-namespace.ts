import { factsOf, namespaceOf } from './tier-c-bubblewrap/processes.ts';

/** A program and its arguments. */
export interface Invocation {
  readonly file: string;
  readonly arguments: readonly string[];
}

/**
 * How the process that makes sandboxes is to be started. As root it gets a mount namespace of its own:
 * what it mounts there nobody else sees, and it ends with it. Mounts of the machine still arrive, and
 * go when the machine takes them away; ours never travel back.
 */
export function inOwnNamespace(uid: number, command: Invocation): Invocation {
  if (uid !== 0) return command;
  const { file, arguments: words } = command;
  return {
    file: '/usr/bin/unshare',
    arguments: ['--mount', '--propagation', 'slave', '--', file, ...words],
  };
}

/** Whether we were started like that: somebody above us has other mounts. */
export function hasOwnMountNamespace(): boolean {
  const ours = namespaceOf('self', 'mnt');
  for (let pid = process.ppid; pid > 0; pid = factsOf(pid)?.parent ?? 0) {
    const theirs = namespaceOf(pid, 'mnt');
    if (theirs !== undefined && theirs !== ours) return true;
  }
  return false;
}
