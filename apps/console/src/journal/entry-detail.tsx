import { kindWords } from '@palyra/client';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { visibleText } from '@palyra/kernel';
import type { JournalEntry, JournalRecord } from '@palyra/protocol';
import { Badge, Card, CodeBlock } from '@palyra/ui';
import { EntryFacts } from './entry-facts.tsx';
import { entryTone } from './entry-tone.ts';
import type { JournalFilter } from './filter.ts';
import { ProofCard } from './proof-card.tsx';

export interface EntryDetailProps {
  readonly record: JournalRecord;
  readonly entry: JournalEntry;
  readonly filter: JournalFilter;
  readonly onClose: () => void;
}

export function EntryDetail({ record, entry, filter, onClose }: EntryDetailProps) {
  return (
    <div className="flex flex-col gap-4">
      <Card
        title={
          <span className="flex flex-wrap items-center gap-2">
            Entry {entry.sequence.toLocaleString('en')}
            <Badge tone={entryTone(entry)} title={visibleText(entry.kind, 'one-line')}>
              {kindWords(entry.kind)}
            </Badge>
          </span>
        }
        aside={<Neighbours entry={entry} filter={filter} onClose={onClose} />}
      >
        <EntryFacts entry={entry} />
      </Card>
      <Card title="What it says">
        <CodeBlock text={JSON.stringify(entry.payload ?? {}, undefined, 2)} label="payload" />
      </Card>
      <ProofCard record={record} entry={entry} />
    </div>
  );
}

const STEP =
  'rounded-lg p-1.5 text-soft hover:bg-raised hover:text-ink aria-disabled:opacity-40 inline-flex';

function Neighbours({ entry, filter, onClose }: Omit<EntryDetailProps, 'record'>) {
  return (
    <span className="flex shrink-0 gap-1">
      <Link
        to="/journal/$entryId"
        params={{ entryId: String(entry.sequence - 1n) }}
        search={filter}
        disabled={entry.sequence === 1n}
        aria-label="The entry before"
        title="The entry before"
        className={STEP}
      >
        <ChevronLeft size={17} aria-hidden="true" />
      </Link>
      <Link
        to="/journal/$entryId"
        params={{ entryId: String(entry.sequence + 1n) }}
        search={filter}
        aria-label="The entry after"
        title="The entry after"
        className={STEP}
      >
        <ChevronRight size={17} aria-hidden="true" />
      </Link>
      <button
        type="button"
        aria-label="Close this entry"
        title="Close (Esc)"
        onClick={onClose}
        className={STEP}
      >
        <X size={17} aria-hidden="true" />
      </button>
    </span>
  );
}
