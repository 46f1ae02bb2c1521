import { PalyraError, type RunId, type SessionId, parseId } from '@palyra/kernel';
import type { Run } from '@palyra/protocol';

/** Contract: these two throw JOURNAL_CORRUPT for a run that has none. */
export function idOf(run: Run): RunId {
  const runId = parseId<'run'>(run.runId);
  if (runId === undefined) throw new PalyraError('JOURNAL_CORRUPT', 'a run has no valid id');
  return runId;
}

export function sessionOf(run: Run): SessionId {
  const sessionId = parseId<'session'>(run.sessionId);
  if (sessionId === undefined) {
    throw new PalyraError('JOURNAL_CORRUPT', `run \`${run.runId}\` has no valid session`);
  }
  return sessionId;
}
