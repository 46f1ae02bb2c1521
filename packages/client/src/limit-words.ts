import type { ExecutionLimits } from '@palyra/protocol';

/** What a call was allowed to use, as its attestation has it. Contract: empty where none was set. */
export function limitWords(limits: ExecutionLimits | undefined): string {
  if (limits === undefined) return '';
  return [
    `${limits.cpuTimeLimitMs} ms of processor`,
    `${limits.wallTimeLimitMs} ms in all`,
    `${byteWords(Number(limits.memoryLimitBytes))} of memory`,
    `${byteWords(Number(limits.maxOutputBytes))} of output`,
    plural(limits.processes, 'process', 'processes'),
    plural(limits.openFiles, 'open file'),
    `${byteWords(Number(limits.fileBytes))} a file`,
  ].join(', ');
}

/** `1.5 MiB`. */
export function byteWords(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
  const rank = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const amount = bytes / 1024 ** rank;
  return `${amount < 10 && rank > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[rank]}`;
}

export function plural(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
