import type { Limits } from '../model.ts';

const FILE_BLOCK = 512;

/** Memory is missing: this kernel takes the limit and does not hold it, so it is measured instead. */
export function seatbeltLimitWords(limits: Limits): readonly string[] {
  return [
    'ulimit -c 0',
    `ulimit -t ${Math.max(1, Math.ceil(limits.cpuTimeMs / 1000))}`,
    `ulimit -f ${Math.max(1, Math.ceil(limits.fileBytes / FILE_BLOCK))}`,
    `ulimit -n ${limits.openFiles}`,
    // Counted for the whole user here, and never below what they have already.
    `ulimit -u ${limits.processes} 2>/dev/null || true`,
  ];
}

export const SEATBELT_WEAKNESSES: readonly string[] = [
  'memory is measured and not enforced: macOS holds no such limit',
  'what the command starts is sought out and ended, which is best effort: macOS has no process namespace',
  'processes are counted together with all others of the user',
];
