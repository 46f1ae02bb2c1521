import { useMemo } from 'react';
import { Link, useParams } from '@tanstack/react-router';
import { type Run, RunStatus } from '@palyra/protocol';
import { Page, Problem, Waiting } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { gateway } from '../wire/gateway.ts';
import { useAsk } from '../wire/use-ask.ts';
import { ReadAgainContext } from './feed/read-again.ts';
import { useStories } from './feed/use-stories.ts';
import { RunHead } from './run-head.tsx';
import { StoryList } from './story-list.tsx';
import { useRows, wantedOf } from './use-rows.ts';

export function RunPage() {
  const { runId = '' } = useParams({ strict: false });
  const run = useAsk(['runs', 'one', runId], (signal) =>
    gateway.runs.getRun({ runId }, { signal }),
  );
  if (run.data === undefined && run.isError) {
    return (
      <Page title="Run" actions={<AllRuns />}>
        <Problem reason={run.error} onRetry={() => void run.refetch()} />
      </Page>
    );
  }
  return (
    <div className="flex h-[calc(100dvh-3.5rem)] flex-col">
      <Answer of={run}>
        {(data) => (data.run === undefined ? null : <RunAlone key={runId} run={data.run} />)}
      </Answer>
    </div>
  );
}

function AllRuns() {
  return (
    <Link to="/runs" className="text-sm text-accent hover:underline">
      All runs
    </Link>
  );
}

function RunAlone({ run }: { readonly run: Run }) {
  const runs = useMemo(() => [run], [run]);
  const { stories, readAgain } = useStories(useMemo(() => wantedOf(runs), [runs]));
  const rows = useRows(runs, stories);
  const told = stories.get(run.runId);
  return (
    <ReadAgainContext value={readAgain}>
      <StoryList
        label="What happened in the run"
        rows={rows}
        from={run.status === RunStatus.ACTIVE ? 'end' : 'start'}
        head={
          <>
            <RunHead run={run} story={told?.story} />
            {told?.state.is === 'failed' ? (
              <Problem reason={told.state.reason} onRetry={() => readAgain(run.runId)} />
            ) : null}
            {rows.length === 0 && told?.state.is !== 'failed' ? <Waiting lines={6} /> : null}
          </>
        }
      />
    </ReadAgainContext>
  );
}
