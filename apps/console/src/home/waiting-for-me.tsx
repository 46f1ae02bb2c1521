import { Link } from '@tanstack/react-router';
import { visibleText } from '@palyra/kernel';
import type { ApprovalRecord } from '@palyra/protocol';
import { Badge, Card, Empty, When } from '@palyra/ui';
import { callLine } from '../approvals/call-words.ts';
import { usePendingAnswer } from '../approvals/use-pending.ts';
import { More } from './more.tsx';
import { Others, Steady } from './steady.tsx';

const MOST_SHOWN = 3;

export function WaitingForMe() {
  const pending = usePendingAnswer();
  return (
    <Card title="Waiting for you" aside={<More to="/approvals" label="Approvals" />} padding="none">
      <Steady of={pending}>
        {(questions) =>
          questions.length === 0 ? (
            <Empty title="Nothing waits for you">Calls that need a person appear here.</Empty>
          ) : (
            <Questions questions={questions} />
          )
        }
      </Steady>
    </Card>
  );
}

function Questions({ questions }: { readonly questions: readonly ApprovalRecord[] }) {
  return (
    <>
      <ul className="divide-y divide-line">
        {questions.slice(0, MOST_SHOWN).map(({ approvalId, proposal, askedAt }) => {
          const line = proposal === undefined ? '' : callLine(proposal);
          return (
            <li key={approvalId}>
              <Link
                to="/approvals/$approvalId"
                params={{ approvalId }}
                className="flex items-center gap-3 px-4 py-3 text-sm hover:bg-raised"
              >
                <Badge tone="wait">{visibleText(proposal?.tool ?? '', 'one-line')}</Badge>
                <code title={line} className="min-w-0 flex-1 truncate text-[0.8125rem]">
                  {line}
                </code>
                <When at={askedAt} />
              </Link>
            </li>
          );
        })}
      </ul>
      <Others count={questions.length - MOST_SHOWN} />
    </>
  );
}
