import { Link } from '@tanstack/react-router';
import { RunStatus } from '@palyra/protocol';
import { Badge, Card, Empty, When } from '@palyra/ui';
import { promptLine } from '../text/prompt-line.ts';
import { gatewayLater } from '../wire/second.ts';
import { useAsk } from '../wire/use-ask.ts';
import { More } from './more.tsx';
import { Others, Steady } from './steady.tsx';

const MOST_SHOWN = 3;
const LOOKED_AT = 100;
const GOING_ON: ReadonlySet<RunStatus> = new Set([RunStatus.ACTIVE, RunStatus.QUEUED]);

export function ActiveRuns() {
  const runs = useAsk(['runs', 'latest'], async (signal) =>
    (await gatewayLater()).runs.listRuns({ limit: LOOKED_AT }, { signal }),
  );
  return (
    <Card title="Running now" aside={<More to="/runs" label="Runs" />} padding="none">
      <Steady of={runs}>
        {(data) => {
          const going = data.runs.filter(({ status }) => GOING_ON.has(status));
          if (going.length === 0) {
            return (
              <Empty title="Nothing runs">
                Give an agent a task in{' '}
                <Link to="/chat" className="text-accent underline">
                  Chat
                </Link>{' '}
                or with <code>palyra run</code>.
              </Empty>
            );
          }
          return (
            <>
              <ul className="divide-y divide-line">
                {going.slice(0, MOST_SHOWN).map((run) => (
                  <li key={run.runId}>
                    <Link
                      to="/runs/$runId"
                      params={{ runId: run.runId }}
                      className="flex items-center gap-3 px-4 py-3 text-sm hover:bg-raised"
                    >
                      <Badge tone={run.status === RunStatus.ACTIVE ? 'accent' : 'plain'}>
                        {run.status === RunStatus.ACTIVE ? 'active' : 'queued'}
                      </Badge>
                      <span className="min-w-0 flex-1 truncate" title={promptLine(run.prompt)}>
                        {promptLine(run.prompt)}
                      </span>
                      <When at={run.startedAt} />
                    </Link>
                  </li>
                ))}
              </ul>
              <Others count={going.length - MOST_SHOWN} />
            </>
          );
        }}
      </Steady>
    </Card>
  );
}
