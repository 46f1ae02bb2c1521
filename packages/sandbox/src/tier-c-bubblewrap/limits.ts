import type { Limits } from '../model.ts';
import { OWN_PROCESSES } from './cgroup.ts';

const KIBIBYTE = 1024;
/** What shells count the size of a file in. */
const FILE_BLOCK = 512;
/** A processor's second more, in which a program could tidy up, between the signal and the end. */
const GRACE_SECONDS = 1;

/**
 * Commands of the launcher's shell, hard ones, so that nothing inside can take them back.
 * Memory is what can be written, not what is merely reserved: interpreters reserve far more than they use.
 * The processes are counted in the sandbox's own user namespace: two sandboxes do not share a count.
 */
export function limitWords(limits: Limits): readonly string[] {
  const seconds = Math.max(1, Math.ceil(limits.cpuTimeMs / 1000));
  const processes = limits.processes + OWN_PROCESSES;
  return [
    `ulimit -d ${Math.ceil(limits.memoryBytes / KIBIBYTE)}`,
    // The soft one first: a hard one may not be below it.
    `ulimit -S -t ${seconds}`,
    `ulimit -H -t ${seconds + GRACE_SECONDS}`,
    `ulimit -f ${Math.max(1, Math.ceil(limits.fileBytes / FILE_BLOCK))}`,
    `ulimit -n ${limits.openFiles}`,
    // Shells do not agree on the letter.
    `{ ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes}; }`,
  ];
}
