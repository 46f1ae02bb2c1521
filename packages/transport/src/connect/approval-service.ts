import type { ServiceImpl } from '@connectrpc/connect';
import { PalyraError } from '@palyra/kernel';
import type { ApprovalService } from '@palyra/protocol';

/** Nothing can be approved yet, so nothing is waiting and nothing takes an answer. */
export function approvalService(): ServiceImpl<typeof ApprovalService> {
  const refuse = (): never => {
    throw new PalyraError('NOT_BUILT', 'approvals do not exist yet');
  };
  return { listApprovals: refuse, answerApproval: refuse };
}
