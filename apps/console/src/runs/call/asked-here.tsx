import { useEffect } from 'react';
import { ApprovalStatus, Permission } from '@palyra/protocol';
import { useMay } from '../../app/caller.ts';
import { ApprovalCard } from '../../approvals/approval-card.tsx';
import { inline } from '../../approvals/call-words.ts';
import { Countdown } from '../../approvals/countdown.tsx';
import { useQuestion } from '../../approvals/use-question.ts';
import { useReadAgain } from '../feed/read-again.ts';
import type { CallStory } from '../story/call.ts';

/** A call that waits for a person can be answered where it stands. */
export function AskedHere({ call }: { readonly call: CallStory }) {
  const { asked } = call;
  const may = useMay(Permission.APPROVALS_ANSWER);
  if (asked === undefined) return null;
  const { approvalId, gates, deadline } = asked;
  return (
    <div className="rounded-b-card border-t border-line bg-wait-tint p-3">
      {may ? (
        <>
          <ApprovalCard approvalId={approvalId} />
          {call.isInterrupted ? (
            <ReadWhenAnswered runId={call.runId} approvalId={approvalId} />
          ) : null}
        </>
      ) : (
        <p className="text-sm wrap-anywhere text-wait">
          {gates.map(({ says }) => inline(says)).join('; ')}: somebody else has to answer,{' '}
          <Countdown until={deadline} /> left.
        </p>
      )}
    </div>
  );
}

interface Awaited {
  readonly runId: string;
  readonly approvalId: string;
}

/** Nobody follows a run that was interrupted, so its page does not hear of the answer. */
function ReadWhenAnswered({ runId, approvalId }: Awaited) {
  const { data } = useQuestion(approvalId);
  const readAgain = useReadAgain();
  const isAnswered = data !== undefined && data.approval.status !== ApprovalStatus.PENDING;
  useEffect(() => {
    if (isAnswered) readAgain(runId);
  }, [isAnswered, readAgain, runId]);
  return null;
}
