import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DecisionKind } from '@palyra/protocol';
import { commandAt } from './calls.ts';
import { judgesFor } from './judges.ts';
import { setWith } from './rule-sets.ts';

/**
 * In megabytes, of two tenths of the way: the first after the warm-up, and the last. A leak is in one
 * of the last two; what is resident also goes up and down with the room that the collector keeps.
 */
export interface MemoryTold {
  /** What the process takes: the median of the tenth. */
  readonly resident: Tenths;
  /** The same without JavaScript's heap, so with all that Cedar holds. */
  readonly besideHeap: Tenths;
  /** What is in use of that heap at the end of the tenth, when all else was collected. */
  readonly heapInUse: Tenths;
}

export interface Tenths {
  readonly first: number;
  readonly last: number;
}

const RULES = 15;
/** A daemon never decides for long without a turn for others, in which memory is given back. */
const DECISIONS_A_TURN = 20;
const SAMPLES_A_TENTH = 100;

export interface ManyCalls {
  /** Before the first of those that count: until then the cache and the collector's heap still grow. */
  readonly warmUps: number;
  readonly count: number;
}

/** Decides so many calls, no two of them alike, with the decider of the daemon. */
export async function decideManyCalls({ warmUps, count }: ManyCalls): Promise<MemoryTold> {
  const { remembering } = await judgesFor(setWith(RULES));
  const decideFrom = async (from: number, calls: number): Promise<void> => {
    for (let at = from; at < from + calls; at += 1) {
      const { kind } = remembering(commandAt({ at, isNew: true }));
      if (kind !== DecisionKind.ALLOW) throw new Error(`call ${at} was not allowed`);
      if (at % DECISIONS_A_TURN === 0) await nextTurn();
    }
  };
  const tenth = Math.floor(count / 10);
  const inUse = heapInUse();
  const tenthFrom = async (from: number) => {
    const told = await medians(tenth, (at, calls) => decideFrom(from + at, calls));
    return { ...told, heapInUse: inUse() };
  };
  await decideFrom(1, warmUps);
  const first = await tenthFrom(1 + warmUps);
  await decideFrom(1 + warmUps + tenth, tenth * 8);
  const last = await tenthFrom(1 + warmUps + tenth * 9);
  return {
    resident: { first: first.resident, last: last.resident },
    besideHeap: { first: first.besideHeap, last: last.besideHeap },
    heapInUse: { first: first.heapInUse, last: last.heapInUse },
  };
}

/** Of samples that are evenly spread over these calls. */
async function medians(
  calls: number,
  decide: (from: number, calls: number) => Promise<void>,
): Promise<{ readonly resident: number; readonly besideHeap: number }> {
  const step = Math.max(1, Math.floor(calls / SAMPLES_A_TENTH));
  const samples: NodeJS.MemoryUsage[] = [];
  for (let from = 0; from < calls; from += step) {
    await decide(from, Math.min(step, calls - from));
    samples.push(process.memoryUsage());
  }
  return {
    resident: median(samples.map(({ rss }) => rss / MEGABYTE)),
    besideHeap: median(samples.map(({ rss, heapTotal }) => (rss - heapTotal) / MEGABYTE)),
  };
}

function median(samples: readonly number[]): number {
  return samples.toSorted((one, other) => one - other)[samples.length >> 1] ?? 0;
}

/** Collects first, so that nothing counts that nobody uses any more. */
function heapInUse(): () => number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (!isCollector(collect)) throw new TypeError('the collector cannot be called');
  return () => {
    collect();
    return process.memoryUsage().heapUsed / MEGABYTE;
  };
}

function isCollector(value: unknown): value is () => void {
  return typeof value === 'function';
}

const MEGABYTE = 1e6;
