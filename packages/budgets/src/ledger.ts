import { type Amounts, type Counted, COUNTED, NOTHING, each, minus, plus } from './amounts.ts';

/** What somebody has used of one day. */
export interface Day {
  /** The UTC date. */
  readonly day: string;
  readonly spent: Amounts;
  readonly held: Amounts;
}

/** What one run holds of a day. */
export interface Lease {
  readonly day: string;
  readonly held: Amounts;
  /** What the run had spent, from its beginning on, when it was last settled. */
  readonly settled: Amounts;
}

export interface Account {
  readonly day: Day;
  readonly lease: Lease | undefined;
}

export interface Wish {
  /** What the run has spent from its beginning on. */
  readonly spent: Amounts;
  /** What it needs beyond that, now. */
  readonly need: Amounts;
}

export type Taking =
  | { readonly kind: 'taken'; readonly account: Account & { readonly lease: Lease } }
  /** `held` is what other runs have been promised of it. */
  | {
      readonly kind: 'exhausted';
      readonly counted: Counted;
      readonly left: number;
      readonly held: number;
    };

/** So that not every call writes to the store. Few questions: those that nobody asks are lost to others meanwhile. */
const AHEAD: Amounts = {
  runs: 0,
  modelTurns: 20,
  toolCalls: 20,
  tokens: 200_000,
  costMicroUsd: 500_000,
  approvals: 1,
  wallMs: 600_000,
};
/** Whoever takes ahead leaves the others this many times as much. */
const SHARE = 8;

const DAY_MS = 86_400_000;

/**
 * The day that counts: a new one begins with nothing. Contract: a day never goes back, so that nobody gets one twice;
 * one that a wrong clock put far ahead, which would never end, becomes today with all that was used of it.
 */
export function dayOn(known: Day | undefined, today: string): Day {
  if (known === undefined || known.day < today)
    return { day: today, spent: NOTHING, held: NOTHING };
  const aheadMs = Date.parse(known.day) - Date.parse(today);
  return aheadMs > DAY_MS ? { ...known, day: today, held: NOTHING } : known;
}

/** INVARIANT: after it, what is spent and held is within the limits of everything that was needed. */
export function take(account: Account, { spent, need }: Wish, limits: Amounts): Taking {
  const { day } = settle(account, spent);
  const used = plus(day.spent, day.held);
  const lacking = COUNTED.find(
    (counted) => need[counted] > 0 && used[counted] + need[counted] > limits[counted],
  );
  if (lacking !== undefined) {
    const left = Math.max(0, limits[lacking] - used[lacking]);
    return { kind: 'exhausted', counted: lacking, left, held: day.held[lacking] };
  }
  const left = leftOf(account, spent);
  const held = each((counted) => {
    const free = Math.max(0, limits[counted] - used[counted] - need[counted]);
    const ahead = Math.floor(Math.min(AHEAD[counted], free / SHARE));
    return need[counted] > 0 ? need[counted] + ahead : Math.max(left[counted], ahead);
  });
  const lease = { day: day.day, held, settled: spent };
  return { kind: 'taken', account: { day: { ...day, held: plus(day.held, held) }, lease } };
}

/** What was used counts as it was, more than was held included; the rest is free again. */
export function settle({ day, lease }: Account, spent: Amounts): Account {
  // A lease of a day that is over was part of that day.
  if (lease?.day !== day.day) return { day, lease: undefined };
  return {
    day: {
      ...day,
      spent: plus(day.spent, minus(spent, lease.settled)),
      held: minus(day.held, lease.held),
    },
    lease: undefined,
  };
}

function leftOf({ day, lease }: Account, spent: Amounts): Amounts {
  if (lease?.day !== day.day) return NOTHING;
  return minus(lease.held, minus(spent, lease.settled));
}
