import { PalyraError } from '@palyra/kernel';

/** Each takes a process, of a hundred megabytes or so: more at once would be a way to harm. */
const PLACES = { check: 4, test: 2, compare: 2, backtest: 2, apply: 1 } as const;

/** What comes into force never waits for what somebody only wants to know. */
export type Job = keyof typeof PLACES;

/**
 * So that many who only look cannot take the machine from those who work, nor one from the others: for
 * anybody at most one of each is under way.
 */
export class JobSlots {
  readonly #taken: Readonly<Record<Job, string[]>> = {
    check: [],
    test: [],
    compare: [],
    backtest: [],
    apply: [],
  };

  /** Contract: OVERLOADED when there is none left, or none for them. Dispose of it to give it back. */
  take(job: Job, whose: string): Disposable {
    const taken = this.#taken[job];
    if (taken.includes(whose)) throw overloaded(`${WORDS[job]} of yours is under way already`);
    if (taken.length >= PLACES[job]) throw overloaded(`${WORDS[job]} of others is under way`);
    taken.push(whose);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) taken.splice(taken.indexOf(whose), 1);
        isHeld = false;
      },
    };
  }
}

const WORDS = {
  check: 'a check of rules',
  test: 'a test of rules',
  compare: 'a comparison of rules',
  backtest: 'a backtest',
  apply: 'an apply',
} as const satisfies Record<Job, string>;

function overloaded(message: string): PalyraError {
  return new PalyraError('OVERLOADED', message, { help: 'try again when that has ended' });
}
