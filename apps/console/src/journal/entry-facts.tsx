import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { visibleText } from '@palyra/kernel';
import type { JournalEntry } from '@palyra/protocol';
import { type Fact, Facts, ShortId, When } from '@palyra/ui';
import { usePeople } from '../app/use-people.ts';

/** Who, when, and where it belongs. */
export function EntryFacts({ entry }: { readonly entry: JournalEntry }) {
  const nameOf = usePeople();
  const actor = visibleText(entry.actor, 'one-line');
  const name = nameOf(entry.actor);
  const facts: readonly Fact[] = [
    [
      'Time',
      <span key="time">
        <When at={entry.time} /> <span className="text-soft">· {exactTime(entry.time)}</span>
      </span>,
    ],
    [
      'Actor',
      <span key="actor" className="flex flex-wrap items-center gap-x-2">
        <Filtering search={{ actor: entry.actor }}>{name}</Filtering>
        {name === actor ? null : <code className="text-xs text-soft">{actor}</code>}
      </span>,
    ],
    ...belongsTo(entry),
    ['Id', <ShortId key="id" id={entry.id} />],
  ];
  return <Facts facts={facts} />;
}

function belongsTo({ runId, sessionId }: JournalEntry): readonly Fact[] {
  const run: Fact = [
    'Run',
    <span key="run" className="flex flex-wrap items-center gap-x-3">
      <Link to="/runs/$runId" params={{ runId }} className="text-accent hover:underline">
        Open the run
      </Link>
      <Filtering search={{ run: runId }}>Its entries</Filtering>
      <ShortId id={runId} />
    </span>,
  ];
  const session: Fact = [
    'Session',
    <span key="session" className="flex flex-wrap items-center gap-x-3">
      <Link to="/chat/$sessionId" params={{ sessionId }} className="text-accent hover:underline">
        Open the session
      </Link>
      <Filtering search={{ session: sessionId }}>Its entries</Filtering>
      <ShortId id={sessionId} />
    </span>,
  ];
  return [...(runId === '' ? [] : [run]), ...(sessionId === '' ? [] : [session])];
}

interface FilteringProps {
  readonly search: { readonly actor?: string; readonly run?: string; readonly session?: string };
  readonly children: ReactNode;
}

function Filtering({ search, children }: FilteringProps) {
  return (
    <Link to="/journal" search={search} className="text-accent hover:underline">
      {children}
    </Link>
  );
}

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

function exactTime(time: string): string {
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? visibleText(time, 'one-line') : EXACT.format(moment);
}
