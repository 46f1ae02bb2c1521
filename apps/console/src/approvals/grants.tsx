import { plural } from '@palyra/client';
import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { Timer } from 'lucide-react';
import { type ApprovalGrant, type ApprovalRecord, GrantScope } from '@palyra/protocol';
import { Badge, Button, Card, Empty, Facts, ShortId, Words } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { gateway } from '../wire/gateway.ts';
import { useAsk } from '../wire/use-ask.ts';
import { inline } from './call-words.ts';
import { Countdown } from './countdown.tsx';
import { RevokeGrant } from './revoke-grant.tsx';
import { shapeWords } from './shape-words.ts';
import { usePeople } from '../app/use-people.ts';

/** Every grant that holds: for what, until when, how often. */
export function Grants() {
  const grants = useAsk(['approvals', 'grants'], (signal) =>
    gateway.approvals.listGrants({}, { signal }),
  );
  return (
    <Answer of={grants} lines={6}>
      {({ grants: live, approvals }) =>
        live.length === 0 ? (
          <Card>
            <Empty icon={<Timer size={20} />} title="No grant holds">
              A yes for a session or until a time makes one. Such calls run without asking, until it
              ends or is revoked.
            </Empty>
          </Card>
        ) : (
          <ul className="flex flex-col gap-3">
            {live.map((grant) => (
              <li key={grant.grantId}>
                <GrantCard grant={grant} approvals={approvals} />
              </li>
            ))}
          </ul>
        )
      }
    </Answer>
  );
}

interface GrantCardProps {
  readonly grant: ApprovalGrant;
  /** Among them the question that it answered, where only that tells the call. */
  readonly approvals: readonly ApprovalRecord[];
}

function GrantCard({ grant, approvals }: GrantCardProps) {
  const nameOf = usePeople();
  const [isAsked, setIsAsked] = useState(false);
  const { grantId, approvalId, principal, shape, expiresAt, usesLeft, uses, voices } = grant;
  const givers = voices.map((voice) => nameOf(voice.principal)).join(', ');
  const call = approvals.find((one) => one.approvalId === approvalId)?.proposal;
  const covers = shape === undefined ? 'nothing' : shapeWords(shape, call);
  const facts = [
    ['Of', nameOf(principal)],
    ['In', inline(grant.workspace?.path || 'no workspace that is known')],
    ['Answers', grant.gateIds.map(inline).join(', ')],
    ['Given by', givers],
    ['Grant', <ShortId key="grant" id={grantId} />],
  ] as const;
  return (
    <Card>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
          <h2 className="min-w-0 grow basis-72 text-sm font-semibold wrap-anywhere">
            <Words text={covers} />
          </h2>
          <span className="flex items-center gap-2 text-sm">
            <ScopeBadge grant={grant} />
            <span>
              <Countdown until={expiresAt} /> left
            </span>
          </span>
        </div>
        <Facts facts={facts} />
        <div className="flex flex-wrap items-center gap-3 text-sm">
          <span>
            {plural(usesLeft, 'call')} left, {uses} used
          </span>
          <Link
            to="/approvals/$approvalId"
            params={{ approvalId }}
            className="text-accent underline"
          >
            The question
          </Link>
          <Button size="small" className="ml-auto text-bad!" onClick={() => setIsAsked(true)}>
            Revoke
          </Button>
        </div>
      </div>
      {isAsked ? (
        <RevokeGrant grantId={grantId} covers={covers} onClose={() => setIsAsked(false)} />
      ) : null}
    </Card>
  );
}

function ScopeBadge({ grant: { scope, sessionId } }: { readonly grant: ApprovalGrant }) {
  if (scope !== GrantScope.SESSION) return <Badge tone="wait">any session</Badge>;
  return (
    <Link to="/chat/$sessionId" params={{ sessionId }}>
      <Badge tone="accent" title={sessionId}>
        one session
      </Badge>
    </Link>
  );
}
