import { create } from '@bufbuild/protobuf';
import {
  type BacktestProgress,
  BacktestProgressSchema,
  type PolicyCandidate,
} from '@palyra/protocol';
import type { JournalDecisions } from '../policy.ts';
import type { Asking, Desk } from './desk.ts';
import type { JobSlots } from './job-slots.ts';
import { ReaderWatch } from './reader-watch.ts';
import { reportMessage } from './wire.ts';

export interface Tried {
  readonly candidate: PolicyCandidate;
  readonly journal: JournalDecisions;
}

export interface ReplayParts {
  readonly desk: Pick<Desk, 'setOf'>;
  readonly slots: JobSlots;
  /** How long something may lie there before it is read. */
  readonly readLimitMs: number;
}

/** Contract: OVERLOADED when there is no slot, and when nobody reads what comes for too long. */
export async function* replay(
  { candidate, journal }: Tried,
  { desk, slots, readLimitMs }: ReplayParts,
  { whose, signal }: Asking,
): AsyncGenerator<BacktestProgress> {
  const slot = slots.take('backtest', whose);
  using watch = new ReaderWatch(slot, { limitMs: readLimitMs, signal });
  const set = await desk.setOf(candidate);
  const { backtest } = await import('../compare/backtest.ts');
  const total = BigInt(journal.total);
  for await (const { decided, read, report } of backtest({ set, journal }, watch.signal)) {
    const progress = create(BacktestProgressSchema, { decided, read, total });
    if (report !== undefined) progress.report = reportMessage(report);
    watch.handOver();
    yield progress;
    watch.taken();
  }
}
