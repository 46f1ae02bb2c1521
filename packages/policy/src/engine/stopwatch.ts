/** Milliseconds of work that this thread has done; only differences count. */
export type Stopwatch = () => number;

/** What an evaluation may take. Ordinary ones take less than one. */
export const MAX_EVALUATION_MS = 250;

/** Time on the processor, not on the wall: on a busy machine a quick evaluation waits, and is still quick. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** An evaluation that was denied for its time. */
export interface SlowEvaluation {
  readonly policySetHash: string;
  readonly action: string;
  readonly resource: string;
  readonly tookMs: number;
}
