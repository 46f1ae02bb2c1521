import { readdirSync, statSync } from 'node:fs';
import type { Limits } from '../model.ts';
import { limitWords } from '../tier-c-bubblewrap/limits.ts';

/**
 * Commands of the launcher's shell. Without a user namespace of its own the kernel counts all processes of
 * the user together: `others` are those that are there already and have nothing to do with the command.
 */
export function processLimitWords(limits: Limits, others: number): readonly string[] {
  return limitWords({ ...limits, processes: limits.processes + others });
}

/** How many processes a user has at the moment. */
export function countProcesses(uid: number): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === uid)
    .reduce((sum, pid) => sum + countThreads(pid), 0);
}

/** The kernel counts each of them. */
function countThreads(pid: string): number {
  try {
    return readdirSync(`/proc/${pid}/task`).length;
  } catch {
    // It ended meanwhile.
    return 0;
  }
}
