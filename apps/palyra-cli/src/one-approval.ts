import { PalyraError } from '@palyra/kernel';
import {
  type ApprovalGrant,
  type ApprovalRecord,
  ApprovalStatus,
  type GetApprovalResponse,
  type OfferedShape,
} from '@palyra/protocol';
import { ONCE } from './grant-wish.ts';

/** What a person is shown before they answer. */
export interface ShownApproval {
  readonly approval: ApprovalRecord;
  readonly offers: readonly OfferedShape[];
}

export function shownApproval({ approval, offers }: GetApprovalResponse): ShownApproval {
  return { approval: knownApproval(approval), offers };
}

export function knownApproval(approval: ApprovalRecord | undefined): ApprovalRecord {
  if (approval !== undefined) return approval;
  throw new PalyraError('UNEXPECTED', 'the gateway answered without an approval');
}

export function knownGrant(grant: ApprovalGrant | undefined): ApprovalGrant {
  if (grant !== undefined) return grant;
  throw new PalyraError('UNEXPECTED', 'the gateway answered without a grant');
}

/** INVARIANT: bound to the fingerprint of what was shown; for another call it does not count. */
export function answerTo(
  { approval: { approvalId, fingerprint } }: ShownApproval,
  answer: 'granted' | 'denied',
  reason = '',
) {
  const said = answer === 'granted' ? ApprovalStatus.GRANTED : ApprovalStatus.DENIED;
  return { approvalId, fingerprint, reason, answer: said, ...ONCE };
}
