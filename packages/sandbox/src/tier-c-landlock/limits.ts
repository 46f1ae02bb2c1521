import { processLimitWords } from '../tier-b-process/limits.ts';
import type { Limits } from '../model.ts';

/**
 * Commands of the launcher's shell, hard ones. Without a user namespace the kernel counts all processes
 * of the user together: `others` are those that are there already. A cgroup, where one is delegated,
 * holds the memory and the processes besides.
 */
export function landlockLimitWords(limits: Limits, others: number): readonly string[] {
  return processLimitWords(limits, others);
}
