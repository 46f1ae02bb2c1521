import { Permission } from '@palyra/protocol';
import { useMay } from '../../app/caller.ts';
import { ApprovalCard } from '../../approvals/approval-card.tsx';
import { inline } from '../../approvals/call-words.ts';
import { Countdown } from '../../approvals/countdown.tsx';
import type { CallStory } from '../story/call.ts';

/** A call that waits for a person can be answered where it stands. */
export function AskedHere({ call: { asked } }: { readonly call: CallStory }) {
  const may = useMay(Permission.APPROVALS_ANSWER);
  if (asked === undefined) return null;
  const { approvalId, gates, deadline } = asked;
  return (
    <div className="rounded-b-card border-t border-line bg-wait-tint p-3">
      {may ? (
        <ApprovalCard approvalId={approvalId} />
      ) : (
        <p className="text-sm wrap-anywhere text-wait">
          {gates.map(({ says }) => inline(says)).join('; ')}: somebody else has to answer,{' '}
          <Countdown until={deadline} /> left.
        </p>
      )}
    </div>
  );
}
