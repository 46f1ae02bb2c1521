import { PalyraError, type RunId } from '@palyra/kernel';
import { ErrorCode, type Run, type RunStarted, RunStatus } from '@palyra/protocol';
import type { JournalPort } from '../ports.ts';
import { isWholeAnswer } from './context/remember.ts';
import { startOf, unitsOf } from './context/units.ts';
import { entriesOfRun } from './watch.ts';

/** How a run was asked for, and how many turns it has had; none for one that has only waited. */
export interface BegunRun {
  readonly message: RunStarted;
  readonly turns: number | undefined;
}

/** Of a turn in which the model failed nothing took effect. Contract: throws RUN_NOT_RESUMABLE. */
export function checkMayGoOn({ runId, status, error }: Run): void {
  if (status === RunStatus.INTERRUPTED) return;
  if (status === RunStatus.FAILED && error?.code === ErrorCode.MODEL_FAILED) return;
  throw new PalyraError('RUN_NOT_RESUMABLE', `run \`${runId}\` is over for good, or goes on`);
}

/** Contract: refuses when the journal no longer tells the whole run: calls could be repeated. */
export async function begunRun(runId: RunId, journal: JournalPort): Promise<BegunRun> {
  const entries = await Array.fromAsync(entriesOfRun(runId, 0, journal));
  const [first] = entries;
  if (first?.kind !== 'run.started' && first?.kind !== 'run.queued') {
    throw new PalyraError('RUN_NOT_RESUMABLE', `the beginning of run \`${runId}\` was archived`, {
      help: 'start a new run; the archive still tells what this one did',
    });
  }
  const hasBegun = entries.some(({ kind }) => kind === 'run.started');
  const turns = unitsOf(entries).filter(isWholeAnswer).length;
  return { message: startOf(first), turns: hasBegun ? turns : undefined };
}
