import { type RunId, parseId } from '@palyra/kernel';
import type { GatewayParts } from '../parts.ts';
import { interrupted } from './active-run.ts';
import { amountsOf } from './budget/run-budget.ts';
import { spendingOf } from './budget/spending.ts';
import { sessionOf } from './run-ids.ts';
import { keepSpoken } from './spoken.ts';
import { entriesOfRun } from './watch.ts';

type CrashParts = Pick<GatewayParts, 'runs' | 'journal' | 'budgets' | 'log'>;

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
    await settleBudget(runId, run.principal, parts);
    await parts.journal.append([interrupted(identity, { reason })]);
    parts.log.warn('run marked as interrupted', { runId });
  }
}

/** What a crash left reserved is free again, but for what the run came to. */
async function settleBudget(
  runId: RunId,
  principal: string,
  { journal, budgets }: CrashParts,
): Promise<void> {
  const entries = await Array.fromAsync(entriesOfRun(runId, 0, journal));
  const spent = amountsOf(spendingOf(entries));
  await budgets.settle({ runId, principal, spent });
}
