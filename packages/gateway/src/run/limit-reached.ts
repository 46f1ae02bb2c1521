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

export function dayReached(key: string, limit: number): LimitReached {
  return new LimitReached(
    StopReason.DAY,
    `\`${key}\` (${limit}) is used up for today`,
    'go on tomorrow (UTC), or raise the named limit under `[budgets]` in palyra.toml',
  );
}

/** What ended a run that failed. */
export function stopReasonOf(error: PalyraError): StopReason {
  return error instanceof LimitReached ? error.stopReason : StopReason.FAILED;
}
