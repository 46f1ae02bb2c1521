import { create } from '@bufbuild/protobuf';
import { PalyraError, type RunId } from '@palyra/kernel';
import {
  type RunEvent,
  type WatchRunsResponse,
  WatchEndSchema,
  WatchRunsResponseSchema,
} from '@palyra/protocol';
import { detailOf } from '../tool-call/5-attestation.ts';

export interface OneOfMany {
  readonly runId: RunId;
  readonly events: (signal: AbortSignal) => AsyncGenerator<RunEvent>;
}

/** More than anybody has windows open. */
const MOST_RUNS = 64;

/**
 * Several runs in one stream, each to its own end: what one of them cannot be heard for ends that one
 * alone. Contract: takes one event of each at most before somebody wants it, so a slow watcher holds no
 * more than it does of one run; ends when all have; throws INVALID_INPUT for more than 64, or one twice.
 */
export async function* watchMany(
  runs: readonly OneOfMany[],
  signal: AbortSignal,
): AsyncGenerator<WatchRunsResponse> {
  checkMany(runs);
  const leaving = new AbortController();
  const both = AbortSignal.any([signal, leaving.signal]);
  const open = new Map(runs.map((run) => [run.runId, next(run, run.events(both))]));
  try {
    while (open.size > 0) {
      const { run, step, rest } = await Promise.race(open.values());
      signal.throwIfAborted();
      // Put last, so that a run that talks without end silences no other one.
      open.delete(run.runId);
      if (step.is === 'event') open.set(run.runId, next(run, rest));
      yield step.is === 'event' ? eventNews(step.event) : endNews(run.runId, step.error);
    }
  } finally {
    leaving.abort();
  }
}

function checkMany(runs: readonly OneOfMany[]): void {
  if (runs.length > MOST_RUNS) {
    throw new PalyraError('INVALID_INPUT', `there are ${runs.length} runs, over ${MOST_RUNS}`, {
      help: `watch at most ${MOST_RUNS} at once`,
    });
  }
  if (new Set(runs.map(({ runId }) => runId)).size < runs.length) {
    throw new PalyraError('INVALID_INPUT', 'a run is named twice', { help: 'name each once' });
  }
}

type Step =
  | { readonly is: 'event'; readonly event: RunEvent }
  | { readonly is: 'end'; readonly error: PalyraError | undefined };

interface Heard {
  readonly run: OneOfMany;
  readonly step: Step;
  readonly rest: AsyncGenerator<RunEvent>;
}

/** Contract: never rejects. */
async function next(run: OneOfMany, rest: AsyncGenerator<RunEvent>): Promise<Heard> {
  try {
    const heard = await rest.next();
    const step: Step =
      heard.done === true ? { is: 'end', error: undefined } : { is: 'event', event: heard.value };
    return { run, step, rest };
  } catch (reason) {
    return { run, step: { is: 'end', error: PalyraError.from(reason) }, rest };
  }
}

function eventNews(event: RunEvent): WatchRunsResponse {
  return create(WatchRunsResponseSchema, { news: { case: 'event', value: event } });
}

function endNews(runId: RunId, error: PalyraError | undefined): WatchRunsResponse {
  const value = create(WatchEndSchema, {
    runId,
    ...(error !== undefined && { error: detailOf(error) }),
  });
  return create(WatchRunsResponseSchema, { news: { case: 'end', value } });
}
