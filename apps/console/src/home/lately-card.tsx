import { Link } from '@tanstack/react-router';
import { Card, Empty, When } from '@palyra/ui';
import { EntryWords } from '../journal/entry-words.tsx';
import { readEntry } from '../journal/read-entry.ts';
import { Answer } from '../wire/answer.tsx';
import { gateway } from '../wire/gateway.ts';
import { useAsk } from '../wire/use-ask.ts';
import { More } from './more.tsx';

/** What changes what is allowed, and who may do it. */
const KINDS = [
  'policy.',
  'shadow.',
  'member.',
  'device.',
  'token.',
  'passkey.',
  'grant.made',
  'grant.revoked',
  'authority.',
  'daemon.started',
];
const MOST_SHOWN = 8;

export function LatelyCard() {
  const entries = useAsk(['journal', 'lately'], (signal) =>
    gateway.journal.listEntries({ kinds: KINDS, limit: MOST_SHOWN }, { signal }),
  );
  return (
    <Card title="Changed lately" aside={<More to="/journal" label="Journal" />} padding="none">
      <Answer of={entries} lines={5}>
        {({ records }) =>
          records.length === 0 ? (
            <Empty title="Nothing has changed" />
          ) : (
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
          )
        }
      </Answer>
    </Card>
  );
}
