import { PalyraError } from '@palyra/kernel';
import { StopReason } from '@palyra/protocol';

/** A limit that ends the run, with what the run's end says of it. */
export class LimitReached extends PalyraError {
  readonly stopReason: StopReason;

  constructor(stopReason: StopReason, message: string, help?: string) {
    super('RUN_LIMIT_REACHED', message, help === undefined ? {} : { help });
    this.stopReason = stopReason;
  }
}

/** One that no budget counts: the model said too much at once. */
export function limitReached(key: string, limit: number): PalyraError {
  return new LimitReached(StopReason.FAILED, `the run reached \`${key}\` (${limit})`);
}

export function budgetReached(stopReason: StopReason, key: string, limit: number): LimitReached {
  return new LimitReached(stopReason, `the run reached \`${key}\` (${limit})`);
}

/** What comes next, mostly a turn of a model, may take of a limit, and what is left of it. */
export interface Shortage {
  readonly key: string;
  readonly limit: number;
  readonly need: number;
  readonly left: number;
}

/** Nothing was overspent: the next turn might, and is not begun. */
export function turnTooLarge(stopReason: StopReason, shortage: Shortage): LimitReached {
  return new LimitReached(stopReason, wordsOf(shortage));
}

export function dayReached(shortage: Shortage & { readonly held: number }): LimitReached {
  const { key, limit, need, left, held } = shortage;
  const words = left === 0 ? `\`${key}\` (${limit}) is used up` : wordsOf(shortage);
  const others = held === 0 ? '' : `, with ${held} that other runs hold`;
  const later = held === 0 ? '' : 'wait until those have ended, ';
  const tomorrow = need > limit ? '' : `${later}start it again tomorrow (UTC), or `;
  return new LimitReached(
    StopReason.DAY,
    `${words} for today${others}`,
    `${tomorrow}raise the named limit under \`[budgets]\` in palyra.toml`,
  );
}

function wordsOf({ key, limit, need, left }: Shortage): string {
  return `what comes next may take ${need}, and ${left} of \`${key}\` (${limit}) are left`;
}

/** What ended a run that failed. */
export function stopReasonOf(error: PalyraError): StopReason {
  return error instanceof LimitReached ? error.stopReason : StopReason.FAILED;
}
