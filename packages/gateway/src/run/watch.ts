import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunId, SealedEntry } from '@palyra/kernel';
import type { RunEvent } from '@palyra/protocol';
import type { JournalPort } from '../ports.ts';
import { archivedRun } from './archived-run.ts';
import { eventOf } from './run-event.ts';
import type { RunStream } from './run-stream.ts';

const PAGE = 256;

export interface Watch {
  readonly runId: RunId;
  /** Only journaled events after this sequence; 0 for all. */
  readonly after: number;
  /** Absent for a run that nobody drives. */
  readonly live: RunStream | undefined;
  readonly journal: JournalPort;
}

/** First what the journal tells, then what happens; subscribed before reading, so nothing is missed. */
export async function* watchRun(watch: Watch, signal: AbortSignal): AsyncGenerator<RunEvent> {
  using subscription = watch.live?.subscribe();
  let last = BigInt(watch.after);
  const beginning = watch.after === 0 ? (watch.live?.beginning ?? []) : [];
  // The model is asked first: nobody waits for the news that a run has begun which they have asked for.
  if (beginning.length > 0) await nextTurn();
  for await (const event of beginning.length > 0 ? beginning : recorded(watch)) {
    signal.throwIfAborted();
    last = event.sequence;
    const thought = watch.live?.thoughtBefore(last);
    if (thought !== undefined) yield thought;
    yield event;
  }
  if (subscription === undefined) return;
  watch.live?.catchUp(subscription, last);
  yield* subscription.events(signal);
}

/** Contract: throws NOT_FOUND where the journal begins within the run: what is left would not tell what it was. */
async function* recorded({ runId, after, journal }: Watch): AsyncGenerator<RunEvent> {
  let isWhole = after > 0;
  for await (const entry of entriesOfRun(runId, after, journal)) {
    isWhole ||= entry.kind === 'run.started' || entry.kind === 'run.queued';
    if (!isWhole) break;
    yield eventOf(entry);
  }
  if (!isWhole) throw archivedRun(runId);
}

export async function* entriesOfRun(
  runId: RunId,
  after: number,
  journal: JournalPort,
): AsyncGenerator<SealedEntry> {
  let cursor = after;
  for (;;) {
    const page = await journal.page({ after: cursor, limit: PAGE, runId });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    cursor = last.sequence;
  }
}
