import { useMemo } from 'react';
import { Button, Empty, Problem, Waiting } from '@palyra/ui';
import { type Run, RunStatus, type Session } from '@palyra/protocol';
import { type MayAct, useMayAct } from '../runs/actions/may-act.ts';
import { ReadAgainContext } from '../runs/feed/read-again.ts';
import { useStories } from '../runs/feed/use-stories.ts';
import { StoryList } from '../runs/story-list.tsx';
import { useRows, wantedOf } from '../runs/use-rows.ts';
import { Answer } from '../wire/answer.tsx';
import { gateway } from '../wire/gateway.ts';
import { useAsk } from '../wire/use-ask.ts';
import { useGrowingList } from '../wire/use-growing-list.ts';
import { Composer } from './composer.tsx';
import { ConversationHead } from './conversation-head.tsx';

/** So many runs are read at first, and with each further wish. */
const PAGE = 20;

export function Conversation({ sessionId }: { readonly sessionId: string }) {
  const session = useAsk(['sessions', 'one', sessionId], (signal) =>
    gateway.sessions.getSession({ sessionId }, { signal }),
  );
  return (
    <div className="flex h-full flex-col">
      <Answer of={session}>
        {(data) => (data.session === undefined ? null : <Talk session={data.session} />)}
      </Answer>
    </div>
  );
}

function Talk({ session }: { readonly session: Session }) {
  const { sessionId } = session;
  const { answer: list, showOlder, isLoading } = useRunsOf(sessionId);
  const may = useMayAct(session.principal);
  const runs = useMemo(() => list.data?.things.toReversed() ?? [], [list.data]);
  const { stories, readAgain } = useStories(useMemo(() => wantedOf(runs), [runs]));
  const rows = useRows(runs, stories);
  const active = runs.find(({ status }) => status === RunStatus.ACTIVE);
  const failed = [...stories].flatMap(([runId, { state }]) =>
    state.is === 'failed' ? [{ runId, reason: state.reason }] : [],
  );
  const isAway = active !== undefined && stories.get(active.runId)?.state.is === 'away';
  return (
    <ReadAgainContext value={readAgain}>
      <ConversationHead session={session} />
      <StoryList
        label="Conversation"
        rows={rows}
        from="end"
        head={
          <div className="flex flex-col items-center pt-2">
            {list.data?.hasMore === true ? (
              <Button look="quiet" size="small" isBusy={isLoading} onClick={showOlder}>
                Show earlier runs
              </Button>
            ) : null}
            {list.isError ? (
              <Problem reason={list.error} onRetry={() => void list.refetch()} />
            ) : null}
            {failed.map(({ runId, reason }) => (
              <Problem key={runId} reason={reason} onRetry={() => readAgain(runId)} />
            ))}
            <Beginning
              runs={list.data === undefined ? undefined : runs}
              isEmpty={rows.length === 0}
            />
          </div>
        }
      />
      <Composer
        sessionId={sessionId}
        activeRunId={active?.runId}
        closed={closedWords(session, may)}
        isAway={isAway}
      />
    </ReadAgainContext>
  );
}

function useRunsOf(sessionId: string) {
  return useGrowingList(['runs', 'session', sessionId], {
    size: PAGE,
    idOf: ({ runId }: Run) => runId,
    page: async (beforeRunId, signal) => {
      const wish = { sessionId, limit: PAGE, beforeRunId };
      return (await gateway.runs.listRuns(wish, signal === undefined ? {} : { signal })).runs;
    },
  });
}

interface BeginningProps {
  readonly runs: readonly Run[] | undefined;
  readonly isEmpty: boolean;
}

function Beginning({ runs, isEmpty }: BeginningProps) {
  if (runs === undefined || (runs.length > 0 && isEmpty)) {
    return (
      <div className="w-full">
        <Waiting lines={6} />
      </div>
    );
  }
  return runs.length === 0 ? (
    <Empty title="Nothing was asked in this session yet">
      A branch remembers everything up to the run that it was branched from, and begins here.
    </Empty>
  ) : null;
}

/** Why nothing can be said here; absent when it can. */
function closedWords({ archivedAt }: Session, { owns }: MayAct): string | undefined {
  if (!owns) return 'This session is somebody else’s; you can read it.';
  return archivedAt === '' ? undefined : 'This session is archived. Restore it to go on with it.';
}
