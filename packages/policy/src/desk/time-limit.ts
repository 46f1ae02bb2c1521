import { PalyraError } from '@palyra/kernel';

export interface Limits {
  readonly limitMs: number;
  /** Of whoever waits, until they do not any more; absent where it goes on without them. */
  readonly signal?: AbortSignal;
}

/** Contract: OVERLOADED when it takes longer. The signal that the work gets ends it in both cases. */
export async function withinLimit<Result>(
  { limitMs, signal }: Limits,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await work(signal === undefined ? limit : AbortSignal.any([signal, limit]));
  } catch (error) {
    if (!limit.aborted || signal?.aborted === true) throw error;
    throw new PalyraError('OVERLOADED', `it took longer than ${limitMs / 1000} s`, {
      cause: error,
      help: 'change fewer rules at a time, or try again when the machine has less to do',
    });
  }
}
