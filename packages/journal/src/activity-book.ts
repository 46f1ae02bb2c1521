import {
  ActivityTally,
  type CountedEntry,
  type HourCounts,
  noCounts,
  type RuleDay,
  ruleKey,
  sum,
} from './activity-tally.ts';
import type { Store } from './store.ts';

/**
 * What was counted: the tables, and over them what the newest entries add. Belongs to the `RunBook`,
 * which says when it is written and what has to be counted again.
 */
export class ActivityBook {
  readonly #store: Store;
  readonly #newest = new ActivityTally();
  /** The last hour that was written: too many there can be only after another one. */
  #writtenHour = '';

  constructor(store: Store) {
    this.#store = store;
  }

  /** Contract: as of `ActivityTally`. */
  add(entry: CountedEntry): void {
    this.#newest.add(entry);
  }

  /** Contract: in a transaction. */
  write(): void {
    const { activityHours, ruleDays } = this.#store;
    const { hours, rules } = this.#newest;
    for (const [hour, counts] of hours) activityHours.add(hour, counts);
    for (const rule of rules.values()) ruleDays.add(rule);
    for (const hour of hours.keys()) {
      if (hour !== this.#writtenHour) this.#trim(hour);
    }
    this.#newest.clear();
  }

  /** Drops what is not in the tables. */
  clear(): void {
    this.#newest.clear();
    this.#writtenHour = '';
  }

  /** Hours in which something was counted, from this one on, in order. */
  hours(from: string): ReadonlyMap<string, HourCounts> {
    const told = new Map(this.#store.activityHours.from(from));
    for (const [hour, counts] of this.#newest.hours) {
      if (hour >= from) told.set(hour, added(told.get(hour) ?? noCounts(), counts));
    }
    return told;
  }

  /** From this day on. */
  rules(from: string): readonly RuleDay[] {
    const told = new Map<string, RuleDay>();
    for (const rule of this.#store.ruleDays.from(from)) told.set(keyOf(rule), rule);
    for (const rule of this.#newest.rules.values()) {
      if (rule.day >= from) told.set(keyOf(rule), merged(told.get(keyOf(rule)), rule));
    }
    return [...told.values()];
  }

  #trim(hour: string): void {
    this.#store.activityHours.trim();
    this.#store.ruleDays.trim();
    this.#writtenHour = hour;
  }
}

function keyOf({ day, ruleId }: RuleDay): string {
  return ruleKey(day, ruleId);
}

function merged(before: RuleDay | undefined, rule: RuleDay): RuleDay {
  if (before === undefined) return { ...rule };
  const lastAt = before.lastAt > rule.lastAt ? before.lastAt : rule.lastAt;
  return { ...rule, count: before.count + rule.count, lastAt };
}

function added(a: HourCounts, b: HourCounts): HourCounts {
  return {
    runs: a.runs + b.runs,
    callsAllowed: a.callsAllowed + b.callsAllowed,
    callsAsked: a.callsAsked + b.callsAsked,
    callsDenied: a.callsDenied + b.callsDenied,
    callsFailed: a.callsFailed + b.callsFailed,
    tokens: sum(a.tokens, b.tokens),
    costMicroUsd: sum(a.costMicroUsd, b.costMicroUsd),
  };
}
