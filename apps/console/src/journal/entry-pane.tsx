import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { JournalRecord } from '@palyra/protocol';
import { Empty } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { EntryDetail } from './entry-detail.tsx';
import type { JournalFilter } from './filter.ts';
import { Row } from './row.ts';
import { useEntry } from './use-entry.ts';

export interface EntryPaneProps {
  /** An id, or a number. */
  readonly id: string;
  readonly filter: JournalFilter;
  readonly onClose: () => void;
}

/** One entry beside the list; on a phone instead of it. */
export function EntryPane({ id, filter, onClose }: EntryPaneProps) {
  const record = useEntry(id);
  return (
    <section aria-label="Entry" className="flex min-w-0 flex-col gap-3">
      <Link
        to="/journal"
        search={filter}
        className="flex items-center gap-1.5 text-sm text-accent hover:underline lg:hidden"
      >
        <ArrowLeft size={15} aria-hidden="true" /> All entries
      </Link>
      <Answer of={record} lines={12}>
        {(data) => <Readable record={data} filter={filter} onClose={onClose} />}
      </Answer>
    </section>
  );
}

interface ReadableProps {
  readonly record: JournalRecord;
  readonly filter: JournalFilter;
  readonly onClose: () => void;
}

function Readable({ record, filter, onClose }: ReadableProps) {
  const { entry } = new Row(record);
  if (entry !== undefined) {
    return <EntryDetail record={record} entry={entry} filter={filter} onClose={onClose} />;
  }
  return (
    <Empty title="This entry cannot be read">
      Its {record.canonical.length} bytes are no entry. Verify the journal to see what is wrong.
    </Empty>
  );
}
