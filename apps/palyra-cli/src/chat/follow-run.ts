import { PalyraError } from '@palyra/kernel';
import type { RunEvent } from '@palyra/protocol';
import { isAway } from './connection.ts';

export interface Following {
  /** Waits until somebody does. */
  readonly comeBack: () => Promise<void>;
  readonly open: () => AsyncIterable<RunEvent>;
  /** Asked of whoever answers by then. */
  readonly openAgain: (runId: string, afterSequence: bigint) => AsyncIterable<RunEvent>;
  readonly hear: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Stays with a run until it ends, across lost connections: it is picked up behind the last recorded
 * event. Contract: rejects when it was lost before its first event, so that nobody knows which it is.
 */
export async function followRun(following: Following): Promise<void> {
  const { comeBack, open, openAgain, signal } = following;
  const heard: Heard = { runId: '', sequence: 0n };
  let events = open();
  for (;;) {
    try {
      return await hearAll(events, heard, following);
    } catch (reason) {
      if (signal.aborted) return;
      if (heard.runId === '' || !isAway(PalyraError.from(reason))) throw reason;
    }
    await comeBack();
    if (signal.aborted) return;
    events = openAgain(heard.runId, heard.sequence);
  }
}

interface Heard {
  runId: string;
  sequence: bigint;
}

async function hearAll(
  events: AsyncIterable<RunEvent>,
  heard: Heard,
  { hear, signal }: Following,
): Promise<void> {
  for await (const event of events) {
    if (signal.aborted) return;
    heard.runId = event.runId;
    // What is told twice after a break was heard already; text on its way has no number.
    if (event.sequence !== 0n && event.sequence <= heard.sequence) continue;
    if (event.sequence !== 0n) heard.sequence = event.sequence;
    hear(event);
  }
}
