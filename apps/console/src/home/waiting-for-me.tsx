import { Link } from '@tanstack/react-router';
import { CheckCheck } from 'lucide-react';
import { Badge, Card, Empty, When } from '@palyra/ui';
import { visibleText } from '@palyra/kernel';
import { usePending } from '../approvals/use-pending.ts';
import { More } from './more.tsx';

const MOST_SHOWN = 4;

export function WaitingForMe() {
  const pending = usePending();
  return (
    <Card
      title="Waiting for you"
      aside={<More to="/approvals" label={pending.length === 0 ? 'Approvals' : 'Answer'} />}
      padding="none"
    >
      {pending.length === 0 ? (
        <Empty icon={<CheckCheck size={20} />} title="Nothing waits for you">
          Calls that need a person appear here.
        </Empty>
      ) : (
        <ul className="divide-y divide-line">
          {pending.slice(0, MOST_SHOWN).map(({ approvalId, proposal, askedAt }) => (
            <li key={approvalId}>
              <Link
                to="/approvals/$approvalId"
                params={{ approvalId }}
                className="flex items-center gap-3 px-4 py-3 text-sm hover:bg-raised"
              >
                <Badge tone="wait">{visibleText(proposal?.tool ?? '', 'one-line')}</Badge>
                <span className="min-w-0 flex-1 truncate text-soft">{proposal?.principal}</span>
                <When at={askedAt} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {pending.length > MOST_SHOWN ? (
        <p className="border-t border-line px-4 py-2 text-sm text-soft">
          and {pending.length - MOST_SHOWN} more
        </p>
      ) : null}
    </Card>
  );
}
