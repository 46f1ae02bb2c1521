import { type RunId, parseId } from '@palyra/kernel';
import type { GatewayParts } from '../parts.ts';
import { interrupted } from './active-run.ts';
import { amountsOf } from './budget/run-budget.ts';
import { withCutOffTurn } from './budget/cut-off-turn.ts';
import { spendingMessage, spendingOf } from './budget/spending.ts';
import { takeBackHalfMade } from './half-made.ts';
import { sessionOf } from './run-ids.ts';
import { keepSpoken } from './spoken.ts';
import { entriesOfRun } from './watch.ts';

type CrashParts = Pick<GatewayParts, 'runs' | 'journal' | 'model' | 'budgets' | 'undo' | 'log'>;

/** Marks the runs that a crash left without an end, but for those that go on. */
export async function markInterrupted(
  parts: CrashParts,
  goesOn: (runId: RunId) => boolean,
): Promise<void> {
  for (const run of await parts.runs.active()) {
    const runId = parseId<'run'>(run.runId);
    if (runId === undefined || goesOn(runId)) continue;
    const identity = { runId, sessionId: sessionOf(run) };
    const reason = 'the daemon ended before the run did';
    await keepSpoken(identity, parts.journal);
    const entries = await Array.fromAsync(entriesOfRun(runId, 0, parts.journal));
    await takeBackHalfMade(identity, entries, parts);
    // What a crash left reserved is free again, but for what the run came to.
    const spent = withCutOffTurn(spendingOf(entries), entries, parts.model);
    await parts.budgets.settle({ runId, principal: run.principal, spent: amountsOf(spent) });
    await parts.journal.append([interrupted(identity, { reason, spent: spendingMessage(spent) })]);
    parts.log.warn('run marked as interrupted', { runId });
  }
}
