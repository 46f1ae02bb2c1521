import type { Limits } from '../model.ts';

/** What a job object is told, by the names of the system's own headers. */
export interface JobLimits {
  readonly LimitFlags: number;
  readonly PerJobUserTimeLimit100ns: string;
  readonly ActiveProcessLimit: number;
  readonly ProcessMemoryLimit: string;
  readonly JobMemoryLimit: string;
}

export const LIMIT_FLAGS = {
  JOB_OBJECT_LIMIT_JOB_TIME: 0x0000_0004,
  JOB_OBJECT_LIMIT_ACTIVE_PROCESS: 0x0000_0008,
  JOB_OBJECT_LIMIT_PROCESS_MEMORY: 0x0000_0100,
  JOB_OBJECT_LIMIT_JOB_MEMORY: 0x0000_0200,
  JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION: 0x0000_0400,
  JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE: 0x0000_2000,
} as const;

/** A process could leave the job with one of these; they are never set. */
export const FORBIDDEN_FLAGS = {
  JOB_OBJECT_LIMIT_BREAKAWAY_OK: 0x0000_0800,
  JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK: 0x0000_1000,
} as const;

const TICKS_PER_MS = 10_000n;

/** Numbers of 64 bits as texts: they cross processes as JSON. */
export function jobLimits(limits: Limits): JobLimits {
  return {
    LimitFlags: Object.values(LIMIT_FLAGS).reduce((all, flag) => all | flag, 0),
    PerJobUserTimeLimit100ns: `${BigInt(limits.cpuTimeMs) * TICKS_PER_MS}`,
    ActiveProcessLimit: limits.processes,
    ProcessMemoryLimit: `${limits.memoryBytes}`,
    JobMemoryLimit: `${limits.memoryBytes}`,
  };
}

/** What a job object does not do. */
export const JOB_WEAKNESSES: readonly string[] = [
  'files and network are not isolated: a job object limits and ends, nothing more',
  'the size of files and the number of open ones are not limited: a job object has no such limits',
];
