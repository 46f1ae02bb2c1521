import * as z from 'zod';
import { DEFAULT_LIMITS, LIMIT_BOUNDS } from './limits.ts';
import type { Limits } from './model.ts';

/** More would wait longer than anybody works. */
const MAX_WARM = 3;
const MAX_WARM_TOTAL = 256;
/** A list that a person keeps by hand. */
const MAX_PROGRAMS = 256;
const MAX_PROGRAM_LENGTH = 4096;

/** The `[sandbox]` section of palyra.toml. */
export const sandboxSection = z
  .object({
    // Declared from narrow to wide: a workspace may choose one that stands earlier.
    egress: z
      .enum(['strict', 'preflight', 'none'])
      .default('strict')
      .meta({ narrows: 'earlier' })
      .describe(
        "whom a command may talk to when nobody says: nobody but hosts that are named, enforced; hosts that are checked before and not enforced; or all of the machine's network",
      ),
    wall_time_ms: limit('wallTimeMs', 'a command is ended after this time'),
    cpu_time_ms: limit('cpuTimeMs', 'processor time of a command and all that it starts'),
    memory_bytes: limit('memoryBytes', 'memory of a command and all that it starts'),
    output_bytes: limit('outputBytes', 'what a command may write to both its outputs together'),
    processes: limit('processes', 'processes and threads of a command at one time'),
    file_bytes: limit('fileBytes', 'the largest file that a command may write'),
    open_files: limit('openFiles', 'files that each process may have open'),
    scratch_bytes: limit('scratchBytes', '`/tmp` and `/dev/shm` together, which are memory'),
    warm: z
      .int()
      .min(0)
      .max(MAX_WARM)
      .default(1)
      .meta({ narrows: 'lower' })
      .describe('sandboxes that wait, ready made, for the next command of a session; 0 for none'),
    warm_total: z
      .int()
      .min(0)
      .max(MAX_WARM_TOTAL)
      .default(16)
      .meta({ narrows: 'lower' })
      .describe('the same for all sessions together'),
    programs: z
      .array(z.string().min(1).max(MAX_PROGRAM_LENGTH))
      .max(MAX_PROGRAMS)
      .default([])
      .meta({ narrows: 'subset' })
      .describe(
        'programs, by name or absolute path, that tier B may start besides its own short list; one that can start others is not made safe by this',
      ),
  })
  .strict()
  .describe('the cages that commands run in');

export type SandboxSettings = z.infer<typeof sandboxSection>;

export function limitsOf(settings: Omit<SandboxSettings, 'programs'>): Limits {
  return {
    wallTimeMs: settings.wall_time_ms,
    cpuTimeMs: settings.cpu_time_ms,
    memoryBytes: settings.memory_bytes,
    outputBytes: settings.output_bytes,
    processes: settings.processes,
    fileBytes: settings.file_bytes,
    openFiles: settings.open_files,
    scratchBytes: settings.scratch_bytes,
  };
}

function limit(name: keyof Limits, says: string) {
  const { least, most } = LIMIT_BOUNDS[name];
  return z
    .int()
    .min(least)
    .max(most)
    .default(DEFAULT_LIMITS[name])
    .meta({ narrows: 'lower' })
    .describe(says);
}
