import { useMemo, useState } from 'react';
import { type Run, RunStatus } from '@palyra/protocol';
import type { Stories, Wanted } from './feed/library.ts';
import { type RunStory } from './story/run-story.ts';
import { type Row, rowsOf } from './story/rows.ts';

/** Which stories are to be read: of all runs that have begun, oldest first. */
export function wantedOf(runs: readonly Run[]): readonly Wanted[] {
  return runs
    .filter(({ status }) => status !== RunStatus.QUEUED)
    .map(({ runId, status }) => ({ runId, isLive: status === RunStatus.ACTIVE }));
}

/** The rows of all runs, oldest first; of a story that has not changed they are the same ones. */
export function useRows(runs: readonly Run[], stories: Stories): readonly Row[] {
  const [known] = useState(() => new WeakMap<RunStory, readonly Row[]>());
  return useMemo(
    () =>
      runs.flatMap((run) => {
        const story = stories.get(run.runId)?.story;
        if (run.status === RunStatus.QUEUED) return [queuedRow(run)];
        if (story === undefined) return [];
        const rows = known.get(story) ?? rowsOf(story);
        known.set(story, rows);
        return rows;
      }),
    [runs, stories, known],
  );
}

function queuedRow(run: Run): Row {
  return { kind: 'queued', key: `${run.runId} queued`, runId: run.runId, run };
}
