import { PalyraError, type RunId, redact } from '@palyra/kernel';
import { type Run, RunStatus, StopReason } from '@palyra/protocol';
import type { GatewayParts } from '../parts.ts';
import { record } from '../tool-call/6-journal.ts';
import { ended } from './active-run.ts';
import { spendingMessage, spendingOf } from './budget/spending.ts';
import { idOf, sessionOf } from './run-ids.ts';
import { entriesOfRun } from './watch.ts';

/**
 * Ends a run for good that was cut off, and that nobody drives. Its questions are withdrawn after
 * that: should a crash come between, an answer finds a run that is over.
 * Contract: throws RUN_NOT_ACTIVE for one that has ended.
 */
export async function callOff(
  run: Run,
  by: string,
  { journal }: Pick<GatewayParts, 'journal'>,
): Promise<void> {
  const runId = idOf(run);
  if (run.status !== RunStatus.INTERRUPTED) {
    throw new PalyraError('RUN_NOT_ACTIVE', `run \`${runId}\` has ended already`);
  }
  const entries = await Array.fromAsync(entriesOfRun(runId, 0, journal));
  const how = {
    status: RunStatus.CANCELLED,
    stopReason: StopReason.CANCELLED,
    spent: spendingMessage(spendingOf(entries)),
    actor: by,
  };
  await record([ended({ runId, sessionId: sessionOf(run) }, how)], journal);
}

/** Those of its calls that did not get so far again as to take theirs back. Contract: never rejects. */
export async function withdrawQuestions(
  runId: RunId,
  { approvals, log }: Pick<GatewayParts, 'approvals' | 'log'>,
): Promise<void> {
  try {
    await approvals.withdrawAll(runId);
  } catch (reason) {
    // The run is over all the same; what stays open ends with its time.
    log.error('questions could not be withdrawn', { runId, error: redact(reason) });
  }
}
