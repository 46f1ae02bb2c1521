import { type Clock, PalyraError } from '@palyra/kernel';
import type { ActivityPort, RuleCount } from './ports.ts';
import { type ActivitySlot, type SlotLength, slotCount, slotsOf, slotStart } from './slots.ts';

const MOST_SLOTS = 400;
/** More rules than anybody writes; the rest of them decided less often. */
const MOST_RULES = 1_000;
const DAY_MS = 86_400_000;

/** What happened over time, in numbers. */
export class ActivityFlows {
  readonly #activity: ActivityPort;
  readonly #clock: Clock;

  constructor(activity: ActivityPort, clock: Clock) {
    this.#activity = activity;
    this.#clock = clock;
  }

  /** Up to the slot that goes on. Contract: rejects with INVALID_INPUT for more than 400 slots. */
  async slots(since: Date, length: SlotLength): Promise<readonly ActivitySlot[]> {
    const range = { since, until: this.#clock.now(), length };
    const count = slotCount(range);
    if (count > MOST_SLOTS) throw tooMany(count);
    return slotsOf(await this.#activity.hours(slotStart(range)), range);
  }

  /** Of today and the days before it, so many in all; most frequent first. */
  async rules(days: number): Promise<readonly RuleCount[]> {
    const since = new Date(this.#clock.now().getTime() - (days - 1) * DAY_MS);
    const rules = await this.#activity.rules(since);
    return rules.toSorted(byFrequency).slice(0, MOST_RULES);
  }
}

function byFrequency(a: RuleCount, b: RuleCount): number {
  if (a.count !== b.count) return b.count - a.count;
  return a.ruleId < b.ruleId ? -1 : 1;
}

function tooMany(count: number): PalyraError {
  const message = `from \`since\` up to now are ${count} slots, over ${MOST_SLOTS}`;
  return new PalyraError('INVALID_INPUT', message, {
    help: 'ask for days instead of hours, or from a later moment on',
  });
}
