import { dayOf, type HourCounts, hourOf } from './activity-tally.ts';
import type { Activity, ActivityHour, RuleCount } from './journal.ts';
import type { RunBook } from './run-book.ts';
import { guarded } from './store-fault.ts';

/** What was counted, as others ask for it. */
export function activityOf(runBook: RunBook): Activity {
  return {
    hours: (since) =>
      guarded(() => {
        const told = runBook.activity.hours(hourOf(since.toISOString()));
        return [...told].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(toHour);
      }),
    rules: (since) => guarded(() => byRule(runBook, dayOf(since.toISOString()))),
  };
}

function toHour([hour, counts]: readonly [string, HourCounts]): ActivityHour {
  return { start: new Date(`${hour}:00:00.000Z`), ...counts };
}

function byRule(runBook: RunBook, day: string): readonly RuleCount[] {
  const rules = new Map<string, RuleCount>();
  for (const { ruleId, count, lastAt } of runBook.activity.rules(day)) {
    const known = rules.get(ruleId);
    rules.set(ruleId, {
      ruleId,
      count: (known?.count ?? 0) + count,
      lastAt: known !== undefined && known.lastAt > lastAt ? known.lastAt : lastAt,
    });
  }
  return [...rules.values()];
}
