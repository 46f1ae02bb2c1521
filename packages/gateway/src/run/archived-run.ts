import { PalyraError, type RunId } from '@palyra/kernel';

/** The journal no longer tells the whole run. */
export function archivedRun(runId: RunId): PalyraError {
  return new PalyraError('NOT_FOUND', `the beginning of run \`${runId}\` was archived`, {
    help: 'the files that `palyra journal archive` wrote still tell all of it',
  });
}
