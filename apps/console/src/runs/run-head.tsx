import { Link } from '@tanstack/react-router';
import { MessagesSquare, ScrollText, Square } from 'lucide-react';
import { visibleText } from '@palyra/kernel';
import { Permission, type Run, RunStatus } from '@palyra/protocol';
import { Badge, Button, Card, type Fact, Facts, ShortId, When } from '@palyra/ui';
import { useMay } from '../app/caller.ts';
import { usePeople } from '../app/use-people.ts';
import { useMayAct } from './actions/may-act.ts';
import { useCancel } from './actions/use-cancel.ts';
import type { RunStory } from './story/run-story.ts';
import { spentWords, statusTone, statusWord } from './story/words.ts';

export interface RunHeadProps {
  readonly run: Run;
  readonly story: RunStory | undefined;
}

/** What there is to know of a run besides its story. */
export function RunHead({ run, story }: RunHeadProps) {
  const nameOf = usePeople();
  const { mayStop } = useMayAct(run.principal);
  return (
    <div className="flex flex-col gap-4 pt-6 pb-2">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-xl font-semibold tracking-tight">Run</h1>
        <Badge tone={statusTone(run.status)}>{statusWord(run.status)}</Badge>
        <span className="ml-auto flex flex-wrap gap-2">
          {mayStop && isGoingOn(run) ? <CancelButton runId={run.runId} /> : null}
          <Ways run={run} />
        </span>
      </header>
      <Card>
        <Facts facts={factsOf(run, story, nameOf)} />
      </Card>
      <h2 className="sr-only">Story</h2>
    </div>
  );
}

function factsOf(
  run: Run,
  story: RunStory | undefined,
  nameOf: (principal: string) => string,
): readonly Fact[] {
  const about = story?.about;
  const spent = story?.items.findLast(({ kind }) => kind === 'ended');
  const told = (name: string, text: string): readonly Fact[] =>
    text === '' ? [] : [[name, visibleText(text, 'one-line')]];
  return [
    ['Id', <ShortId key="id" id={run.runId} />],
    ['By', nameOf(run.principal)],
    ...told('Through', about?.channel ?? ''),
    ...(about === undefined || about.deviceId === ''
      ? []
      : [['Device', <ShortId key="device" id={about.deviceId} />] as const]),
    ...told('Model', run.model),
    ...told('Workspace', about?.workspace ?? ''),
    ['Started', <When key="started" at={run.startedAt} />],
    ['Ended', <When key="ended" at={run.endedAt} never="not yet" />],
    ...(spent?.kind === 'ended' && spent.ending.spent !== undefined
      ? [['Used', spentWords(spent.ending.spent).join(' · ')] as const]
      : []),
  ];
}

const WAY =
  'inline-flex h-8 items-center gap-1.5 rounded-lg border border-line bg-card px-2.5 text-sm font-medium hover:border-strong-line hover:bg-raised';

function Ways({ run: { runId, sessionId } }: { readonly run: Run }) {
  const may = useMay(Permission.OBSERVABILITY_READ);
  return (
    <>
      <Link to="/chat/$sessionId" params={{ sessionId }} className={WAY}>
        <MessagesSquare size={14} aria-hidden="true" />
        Session
      </Link>
      {may ? (
        <Link to="/journal" search={{ run: runId }} className={WAY}>
          <ScrollText size={14} aria-hidden="true" />
          Journal
        </Link>
      ) : null}
    </>
  );
}

function CancelButton({ runId }: { readonly runId: string }) {
  const cancel = useCancel();
  return (
    <Button size="small" isBusy={cancel.isPending} onClick={() => cancel.mutate(runId)}>
      <Square size={12} aria-hidden="true" />
      Stop
    </Button>
  );
}

function isGoingOn({ status }: Run): boolean {
  return status === RunStatus.ACTIVE || status === RunStatus.QUEUED;
}
