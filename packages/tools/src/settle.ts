import { PalyraError } from '@palyra/kernel';
import type { ToolOutput } from './hands.ts';
import { explain } from './workspace/refusals.ts';

type Done = Omit<Extract<ToolOutput, { readonly kind: 'succeeded' }>, 'kind'>;

/** What became of the work of a tool. Contract: never rejects. */
export async function settle(work: () => Promise<Done>, signal: AbortSignal): Promise<ToolOutput> {
  try {
    signal.throwIfAborted();
    return { kind: 'succeeded', ...(await work()) };
  } catch (error) {
    return { kind: 'failed', error: asError(error, signal) };
  }
}

function asError(error: unknown, signal: AbortSignal): PalyraError {
  if (error instanceof PalyraError) return error;
  if (signal.aborted && error === signal.reason) {
    return new PalyraError('CANCELLED', 'the call was cancelled', { cause: error });
  }
  return explain(error, 'the file');
}
