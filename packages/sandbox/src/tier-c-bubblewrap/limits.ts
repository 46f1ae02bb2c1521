import type { Limits } from '../model.ts';
import { OWN_PROCESSES } from './cgroup.ts';

/** A limit of the kernel's on a process and whatever it starts, by the kernel's own number. */
export interface ResourceLimit {
  readonly resource: number;
  readonly soft: number;
  readonly hard: number;
}

/** The same on every machine that there is a filter for. */
const RESOURCES = { cpu: 0, fileSize: 1, memory: 2, processes: 6, openFiles: 7 } as const;

const KIBIBYTE = 1024;
/** What shells count the size of a file in. */
const FILE_BLOCK = 512;
/** A processor's second more, in which a program could tidy up, between the signal and the end. */
const GRACE_SECONDS = 1;

interface Units {
  readonly memoryKibibytes: number;
  readonly cpuSeconds: number;
  readonly fileBlocks: number;
  readonly openFiles: number;
  readonly processes: number;
}

function unitsOf(limits: Limits): Units {
  return {
    memoryKibibytes: Math.ceil(limits.memoryBytes / KIBIBYTE),
    cpuSeconds: Math.max(1, Math.ceil(limits.cpuTimeMs / 1000)),
    fileBlocks: Math.max(1, Math.ceil(limits.fileBytes / FILE_BLOCK)),
    openFiles: limits.openFiles,
    processes: limits.processes + OWN_PROCESSES,
  };
}

/**
 * Hard ones, so that nothing inside can take them back.
 * Memory is what can be written, not what is merely reserved: interpreters reserve far more than they use.
 * The processes are counted in the sandbox's own user namespace: two sandboxes do not share a count.
 */
export function resourceLimits(limits: Limits): readonly ResourceLimit[] {
  const units = unitsOf(limits);
  const both = (resource: number, most: number) => ({ resource, soft: most, hard: most });
  return [
    both(RESOURCES.memory, units.memoryKibibytes * KIBIBYTE),
    { ...both(RESOURCES.cpu, units.cpuSeconds), hard: units.cpuSeconds + GRACE_SECONDS },
    both(RESOURCES.fileSize, units.fileBlocks * FILE_BLOCK),
    both(RESOURCES.openFiles, units.openFiles),
    both(RESOURCES.processes, units.processes),
  ];
}

/** The same as commands of a launcher's shell. */
export function limitWords(limits: Limits): readonly string[] {
  const { memoryKibibytes, cpuSeconds, fileBlocks, openFiles, processes } = unitsOf(limits);
  return [
    `ulimit -d ${memoryKibibytes}`,
    // The soft one first: a hard one may not be below it.
    `ulimit -S -t ${cpuSeconds}`,
    `ulimit -H -t ${cpuSeconds + GRACE_SECONDS}`,
    `ulimit -f ${fileBlocks}`,
    `ulimit -n ${openFiles}`,
    // Shells do not agree on the letter.
    `{ ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes}; }`,
  ];
}
