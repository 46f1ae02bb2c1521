import { Suspense, lazy } from 'react';
import { Card, Waiting } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { gatewayLater, second } from '../wire/second.ts';
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
/** Below what is seen first, and it knows how to read an entry. */
const LatelyList = lazy(async () => ({ default: (await second()).LatelyList }));

export function LatelyCard() {
  const entries = useAsk(['journal', 'lately'], async (signal) =>
    (await gatewayLater()).journal.listEntries({ kinds: KINDS, limit: MOST_SHOWN }, { signal }),
  );
  return (
    <Card title="Changed lately" aside={<More to="/journal" label="Journal" />} padding="none">
      <Answer of={entries} lines={5}>
        {({ records }) => (
          <Suspense fallback={<Waiting lines={5} />}>
            <LatelyList records={records} />
          </Suspense>
        )}
      </Answer>
    </Card>
  );
}
