import { Link } from '@tanstack/react-router';
import { Fingerprint, Users } from 'lucide-react';
import { type ApprovalRecord, ApprovalStatus } from '@palyra/protocol';
import { When } from '@palyra/ui';
import { callLine, inline } from './call-words.ts';
import { Countdown } from './countdown.tsx';
import { StatusBadge } from './status-badge.tsx';
import { usePeople } from '../app/use-people.ts';

export function ApprovalRow({ approval }: { readonly approval: ApprovalRecord }) {
  const nameOf = usePeople();
  const { approvalId, proposal, status, deadline, askedAt, closedAt, voices, usedAt } = approval;
  const isPending = status === ApprovalStatus.PENDING;
  const call = proposal === undefined ? '' : callLine(proposal);
  const by = voices.at(-1)?.principal;
  return (
    <Link
      to="/approvals/$approvalId"
      params={{ approvalId }}
      data-approval={approvalId}
      className="flex flex-col gap-0.5 border-l-3 border-transparent px-3.5 py-2.5 text-sm -outline-offset-2 hover:bg-raised"
      activeProps={{ className: 'border-l-accent! bg-accent-tint', 'aria-current': 'true' }}
    >
      <span className="flex items-center gap-2">
        <span className="min-w-0 truncate font-medium">{inline(proposal?.tool ?? '')}</span>
        <Demands approval={approval} />
        <span className="ml-auto shrink-0 text-xs">
          {isPending ? <Countdown until={deadline} /> : <StatusBadge approval={approval} />}
        </span>
      </span>
      <code title={call} className="truncate text-xs text-ink/85">
        {call}
      </code>
      <span className="truncate text-xs text-ink/75">
        {isPending || by === undefined ? (
          <>
            for {nameOf(proposal?.principal ?? '')} · <When at={closedAt || askedAt} />
          </>
        ) : (
          <>
            by {nameOf(by)} · <When at={usedAt || closedAt || askedAt} />
          </>
        )}
      </span>
    </Link>
  );
}

/** More than a yes of whoever looks at it. */
function Demands({ approval: { gates } }: { readonly approval: ApprovalRecord }) {
  const wanted = Math.max(1, ...gates.map(({ quorum }) => quorum));
  return (
    <>
      {wanted > 1 ? (
        <span
          title={`${wanted} people have to say yes`}
          className="flex items-center gap-0.5 text-xs"
        >
          <Users size={13} aria-hidden="true" />
          {wanted}
          <span className="sr-only"> people</span>
        </span>
      ) : null}
      {gates.some(({ strength }) => strength === 'passkey') ? (
        <span title="Needs a passkey">
          <Fingerprint size={14} aria-hidden="true" />
          <span className="sr-only">needs a passkey</span>
        </span>
      ) : null}
    </>
  );
}
