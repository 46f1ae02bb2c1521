import { DecisionKind } from '@palyra/protocol';
import { commandAt } from './calls.ts';
import { judgesFor } from './judges.ts';
import { setWith } from './rule-sets.ts';

/** Resident memory, in megabytes, after these shares of all decisions. */
export interface MemoryTold {
  readonly tenth: number;
  readonly half: number;
  readonly all: number;
}

const RULES = 15;

export interface ManyCalls {
  /** Before the first of those that count: until then the cache and the collector's heap still grow. */
  readonly warmUps: number;
  readonly count: number;
}

/** Decides so many calls, no two of them alike, with the decider of the daemon. */
export async function decideManyCalls({ warmUps, count }: ManyCalls): Promise<MemoryTold> {
  const { remembering } = await judgesFor(setWith(RULES));
  for (let at = 1; at <= warmUps; at += 1) remembering(commandAt({ at: count + at, isNew: true }));
  const told = { tenth: 0, half: 0, all: 0 };
  for (let at = 1; at <= count; at += 1) {
    const { kind } = remembering(commandAt({ at, isNew: true }));
    if (kind !== DecisionKind.ALLOW) throw new Error(`call ${at} was not allowed`);
    if (at === Math.floor(count / 10)) told.tenth = residentMb();
    if (at === Math.floor(count / 2)) told.half = residentMb();
  }
  return { ...told, all: residentMb() };
}

function residentMb(): number {
  return process.memoryUsage.rss() / 1e6;
}
