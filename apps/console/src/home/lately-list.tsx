import { Link } from '@tanstack/react-router';
import type { JournalRecord } from '@palyra/protocol';
import { Empty, When } from '@palyra/ui';
import { EntryWords } from '../journal/entry-words.tsx';
import { readEntry } from '../journal/read-entry.ts';

export function LatelyList({ records }: { readonly records: readonly JournalRecord[] }) {
  if (records.length === 0) return <Empty title="Nothing has changed" />;
  return (
    <ul className="divide-y divide-line">
      {records.map(readEntry).map((entry) => (
        <li key={entry.id}>
          <Link
            to="/journal/$entryId"
            params={{ entryId: entry.id }}
            className="flex items-center gap-4 px-4 py-2.5 text-sm hover:bg-raised"
          >
            <span className="min-w-0 flex-1">
              <EntryWords entry={entry} />
            </span>
            <When at={entry.time} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
