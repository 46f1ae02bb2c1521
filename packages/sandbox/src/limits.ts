import { PalyraError } from '@palyra/kernel';
import type { Limits } from './model.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** What compilers, package managers and interpreters get along with. */
export const DEFAULT_LIMITS: Limits = {
  cpuTimeMs: 120 * SECOND,
  wallTimeMs: 120 * SECOND,
  memoryBytes: 2 * GIB,
  // What is more than one answer holds is kept as an artifact; this much of it waits in memory.
  outputBytes: MIB,
  processes: 256,
  fileBytes: GIB,
  openFiles: 4096,
  scratchBytes: 512 * MIB,
};

interface Bound {
  readonly least: number;
  readonly most: number;
}

/** Below, nothing starts; above, it is no limit. */
export const LIMIT_BOUNDS: Readonly<Record<keyof Limits, Bound>> = {
  cpuTimeMs: { least: 10, most: 24 * HOUR },
  wallTimeMs: { least: 10, most: 24 * HOUR },
  memoryBytes: { least: 16 * MIB, most: 1024 * GIB },
  outputBytes: { least: 1, most: 256 * MIB },
  processes: { least: 1, most: 32_768 },
  fileBytes: { least: KIB, most: 1024 * GIB },
  openFiles: { least: 16, most: 65_536 },
  scratchBytes: { least: 64 * KIB, most: 64 * GIB },
};

const NAMES: readonly (keyof Limits)[] = [
  ...(['cpuTimeMs', 'wallTimeMs', 'memoryBytes', 'outputBytes'] as const),
  ...(['processes', 'fileBytes', 'openFiles', 'scratchBytes'] as const),
];

/** Contract: throws INVALID_INPUT and names the first that is out of its bounds. */
export function checkLimits(limits: Limits): void {
  for (const name of NAMES) {
    const { least, most } = LIMIT_BOUNDS[name];
    const value = limits[name];
    if (Number.isSafeInteger(value) && value >= least && value <= most) continue;
    throw new PalyraError('INVALID_INPUT', `the limit \`${name}\` is ${value}`, {
      help: `give a whole number from ${least} to ${most}`,
    });
  }
}
