import { PalyraError } from '@palyra/kernel';
import type { RunEvent } from '@palyra/protocol';
import { gateway } from '../../wire/gateway.ts';

/**
 * The first event of a stream that opens a run; then it is left. The run goes on, and is heard like
 * any other one: so there is one way to hear a run, and a reload in the middle is nothing special.
 */
export async function firstOf(
  open: (signal: AbortSignal) => AsyncIterable<RunEvent>,
): Promise<RunEvent> {
  const leaving = new AbortController();
  try {
    for await (const event of open(leaving.signal)) return event;
  } finally {
    leaving.abort();
  }
  throw new PalyraError('UNEXPECTED', 'the gateway told nothing of the run');
}

/** One recorded event again, whole. */
export async function readEvent(runId: string, sequence: bigint): Promise<RunEvent> {
  const afterSequence = sequence - 1n;
  return await firstOf((signal) => gateway.runs.watchRun({ runId, afterSequence }, { signal }));
}
