import type { ActivityCounts, ActivityHour } from './ports.ts';

export interface ActivitySlot extends ActivityCounts {
  readonly start: Date;
}

export type SlotLength = 'hour' | 'day';

/** From the slot that holds `since` up to the one that holds `until`. */
export interface SlotRange {
  readonly since: Date;
  readonly until: Date;
  readonly length: SlotLength;
}

const LENGTH_MS = { hour: 3_600_000, day: 86_400_000 } as const satisfies Record<
  SlotLength,
  number
>;

/** Contract: below one when it ends before it begins. */
export function slotCount({ since, until, length }: SlotRange): number {
  return slotOf(until, length) - slotOf(since, length) + 1;
}

/** Of the first slot. */
export function slotStart({ since, length }: SlotRange): Date {
  return new Date(slotOf(since, length) * LENGTH_MS[length]);
}

/** Oldest first, those in which nothing happened too. */
export function slotsOf(hours: readonly ActivityHour[], range: SlotRange): readonly ActivitySlot[] {
  const first = slotOf(range.since, range.length);
  const counts = new Map<number, ActivityCounts>();
  for (const hour of hours) {
    const slot = slotOf(hour.start, range.length);
    counts.set(slot, added(counts.get(slot) ?? NOTHING, hour));
  }
  return Array.from({ length: Math.max(0, slotCount(range)) }, (_, place) => ({
    start: new Date((first + place) * LENGTH_MS[range.length]),
    ...(counts.get(first + place) ?? NOTHING),
  }));
}

/** Hours and days of UTC, counted from 1970 on. */
function slotOf(moment: Date, length: SlotLength): number {
  return Math.floor(moment.getTime() / LENGTH_MS[length]);
}

const NOTHING: ActivityCounts = {
  runs: 0,
  callsAllowed: 0,
  callsDenied: 0,
  callsAsked: 0,
  callsFailed: 0,
  tokens: 0,
  costMicroUsd: 0,
};

function added(a: ActivityCounts, b: ActivityCounts): ActivityCounts {
  return {
    runs: a.runs + b.runs,
    callsAllowed: a.callsAllowed + b.callsAllowed,
    callsDenied: a.callsDenied + b.callsDenied,
    callsAsked: a.callsAsked + b.callsAsked,
    callsFailed: a.callsFailed + b.callsFailed,
    tokens: a.tokens + b.tokens,
    costMicroUsd: a.costMicroUsd + b.costMicroUsd,
  };
}
