import { create } from '@bufbuild/protobuf';
import { PalyraError, type RunId } from '@palyra/kernel';
import {
  type RunEvent,
  type WatchRunsResponse,
  WatchEndSchema,
  WatchRunsResponseSchema,
} from '@palyra/protocol';
import type { PolicyDesk } from '../policy/ports.ts';
import { detailOf } from '../tool-call/5-attestation.ts';
import { Arrivals } from './arrivals.ts';

export interface OneOfMany {
  readonly runId: RunId;
  readonly events: (signal: AbortSignal) => AsyncGenerator<RunEvent>;
  /** Contract: rejects when it may not be seen any more. */
  readonly checkSeen: () => Promise<void>;
}

/** More than anybody has windows open. */
const MOST_RUNS = 64;

/**
 * Several runs in one stream, each to its own end: what one of them cannot be heard for ends that one
 * alone. Contract: takes one event of each before somebody wants it, and tells it only if the rules of
 * that moment still let it be seen; holds of each, beside that, what one who watches it alone holds (a
 * page of 256 entries, and the queue of its stream); ends when all have; throws INVALID_INPUT for more
 * than 64, or one twice.
 */
export async function* watchMany(
  runs: readonly OneOfMany[],
  policyDesk: Pick<PolicyDesk, 'revision'>,
  signal: AbortSignal,
): AsyncGenerator<WatchRunsResponse> {
  checkMany(runs);
  const leaving = new AbortController();
  const both = AbortSignal.any([signal, leaving.signal]);
  const open = new Map<RunId, Promise<Heard>>();
  // In the order in which they came, one of each: a run that talks without end silences no other one.
  const ready = new Arrivals<Heard>();
  const take = (run: OneOfMany, rest: AsyncGenerator<RunEvent>) => {
    const taken = next(run, rest, policyDesk);
    open.set(run.runId, taken);
    void taken.then((heard) => ready.add(heard));
  };
  for (const run of runs) take(run, run.events(both));
  try {
    while (open.size > 0) {
      const heard = await ready.next();
      const { run, rest } = heard;
      const step = await checked(heard, policyDesk);
      signal.throwIfAborted();
      open.delete(run.runId);
      if (step.is === 'event') take(run, rest);
      yield step.is === 'event' ? eventNews(step.event) : endNews(run.runId, step.error);
    }
  } finally {
    leaving.abort();
    await Promise.all(Array.from(open.values(), close));
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
  /** The rules that let it be seen, or older ones. */
  readonly rules: number;
}

/** Contract: never rejects. */
async function next(
  run: OneOfMany,
  rest: AsyncGenerator<RunEvent>,
  policyDesk: Pick<PolicyDesk, 'revision'>,
): Promise<Heard> {
  const rules = policyDesk.revision();
  try {
    const heard = await rest.next();
    const step: Step =
      heard.done === true ? { is: 'end', error: undefined } : { is: 'event', event: heard.value };
    return { run, step, rest, rules };
  } catch (reason) {
    return { run, step: endFor(reason), rest, rules };
  }
}

/** What was taken may have waited long for a slow watcher. Contract: never rejects. */
async function checked(
  { run, step, rest, rules }: Heard,
  policyDesk: Pick<PolicyDesk, 'revision'>,
): Promise<Step> {
  if (step.is === 'end') return step;
  try {
    for (let held = rules; held !== policyDesk.revision();) {
      held = policyDesk.revision();
      await run.checkSeen();
    }
    return step;
  } catch (reason) {
    await rest.return(undefined);
    return endFor(reason);
  }
}

/** One that is left at an event does not hear the signal, and would stay subscribed to its run. */
async function close(taken: Promise<Heard>): Promise<void> {
  const { rest } = await taken;
  await rest.return(undefined);
}

function endFor(reason: unknown): Step {
  return { is: 'end', error: PalyraError.from(reason) };
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
