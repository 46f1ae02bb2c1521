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
  reason: string,
  { approvals, log }: Pick<GatewayParts, 'approvals' | 'log'>,
): Promise<void> {
  try {
    await approvals.withdrawAll(runId, reason);
  } catch (error) {
    // The run is over all the same; what stays open ends with its time.
    log.error('questions could not be withdrawn', { runId, error: redact(error) });
  }
}

/**
 * A call that asked before its run was cut off may be decided otherwise when it comes again, without anybody;
 * its question must not wait for an answer that nothing follows from. Contract: never rejects.
 */
export async function withdrawAfterEnd(
  runId: RunId,
  parts: Pick<GatewayParts, 'runs' | 'approvals' | 'log'>,
): Promise<void> {
  const run = await parts.runs.get(runId).catch(() => undefined);
  if (run !== undefined && OVER.has(run.status)) {
    await withdrawQuestions(runId, 'the run is over', parts);
  }
}

const OVER: ReadonlySet<RunStatus> = new Set([RunStatus.COMPLETED, RunStatus.FAILED]);
