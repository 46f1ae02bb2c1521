import { Slots } from '@palyra/kernel';

/** Each takes a process, of a hundred megabytes or so: more at once would be a way to harm. */
const PLACES = { check: 4, test: 2, compare: 2, backtest: 2, apply: 1 } as const;

/** What comes into force never waits for what somebody only wants to know. */
export type Job = keyof typeof PLACES;

const WORDS = {
  check: ['a check of rules', 'checks of rules'],
  test: ['a test of rules', 'tests of rules'],
  compare: ['a comparison of rules', 'comparisons of rules'],
  backtest: ['a backtest', 'backtests'],
  apply: ['an apply', 'applies'],
} as const satisfies Record<Job, readonly [one: string, many: string]>;

/** For anybody at most one of each is under way. */
export class JobSlots {
  readonly #slots: Readonly<Record<Job, Slots>> = {
    check: slotsFor('check'),
    test: slotsFor('test'),
    compare: slotsFor('compare'),
    backtest: slotsFor('backtest'),
    apply: slotsFor('apply'),
  };

  /** Contract: OVERLOADED when there is none left, or none for them. Dispose of it to give it back. */
  take(job: Job, whose: string): Disposable {
    return this.#slots[job].take(whose);
  }
}

function slotsFor(job: Job): Slots {
  const [one, many] = WORDS[job];
  return new Slots({ each: 1, inAll: PLACES[job], one, many });
}
