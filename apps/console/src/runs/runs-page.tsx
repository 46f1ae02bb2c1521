import { useRef, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { visibleText } from '@palyra/kernel';
import { type Run, RunStatus } from '@palyra/protocol';
import { Badge, Button, Card, Cell, Empty, Page, Table, When } from '@palyra/ui';
import { usePeople } from '../app/use-people.ts';
import { promptLine } from '../text/prompt-line.ts';
import { Answer } from '../wire/answer.tsx';
import { gateway } from '../wire/gateway.ts';
import { useGrowingList } from '../wire/use-growing-list.ts';
import { StatusFilter } from './status-filter.tsx';
import { statusTone, statusWord } from './story/words.ts';
import { useListKeys } from './use-list-keys.ts';

const LIST = {
  size: 100,
  idOf: ({ runId }: Run) => runId,
  page: async (beforeRunId: string, signal?: AbortSignal) => {
    const wish = { limit: LIST.size, beforeRunId };
    return (await gateway.runs.listRuns(wish, signal === undefined ? {} : { signal })).runs;
  },
};

export function RunsPage() {
  const [status, setStatus] = useState<RunStatus>(RunStatus.UNSPECIFIED);
  const { answer, showOlder, isLoading } = useGrowingList(['runs', 'list'], LIST);
  return (
    <Page title="Runs" says="Every task that was given to the agent, newest first.">
      <Answer of={answer} lines={10}>
        {({ things: found, hasMore }) => {
          const shown = found.filter(
            (run) => status === RunStatus.UNSPECIFIED || run.status === status,
          );
          return (
            <>
              <StatusFilter runs={found} chosen={status} onChoose={setStatus} />
              <Card padding="none">
                {shown.length === 0 ? <NoRuns /> : <RunTable runs={shown} />}
                {hasMore ? (
                  <div className="border-t border-line p-2 text-center">
                    <Button look="quiet" size="small" isBusy={isLoading} onClick={showOlder}>
                      Show older
                    </Button>
                  </div>
                ) : null}
              </Card>
            </>
          );
        }}
      </Answer>
    </Page>
  );
}

function RunTable({ runs }: { readonly runs: readonly Run[] }) {
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = useListKeys(box);
  return (
    <div ref={box} role="presentation" onKeyDown={onKeyDown}>
      <Table label="Runs" columns={['Status', 'Prompt', 'Started', 'Calls', 'Model', 'By']}>
        {runs.map((run) => (
          <RunRow key={run.runId} run={run} />
        ))}
      </Table>
    </div>
  );
}

function RunRow({ run }: { readonly run: Run }) {
  const nameOf = usePeople();
  const prompt = promptLine(run.prompt);
  return (
    <tr className="hover:bg-raised">
      <Cell>
        <Badge tone={statusTone(run.status)}>{statusWord(run.status)}</Badge>
      </Cell>
      <Cell>
        <Link
          to="/runs/$runId"
          params={{ runId: run.runId }}
          data-list-item
          title={prompt}
          className="block truncate font-medium hover:underline max-sm:whitespace-normal sm:w-64 lg:w-80"
        >
          {prompt}
        </Link>
      </Cell>
      <Cell>
        <When at={run.startedAt} />
      </Cell>
      <Cell>{run.toolCalls}</Cell>
      <Cell>
        <span className="sm:whitespace-nowrap">{visibleText(run.model, 'one-line')}</span>
      </Cell>
      <Cell>
        <span className="sm:whitespace-nowrap">{nameOf(run.principal)}</span>
      </Cell>
    </tr>
  );
}

function NoRuns() {
  return (
    <Empty icon={<Activity size={20} />} title="No runs here">
      Give the agent a task in{' '}
      <Link to="/chat" className="text-accent underline">
        Chat
      </Link>{' '}
      or with <code>palyra run</code>.
    </Empty>
  );
}
