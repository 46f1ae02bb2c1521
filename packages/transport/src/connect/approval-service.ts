import type { ServiceImpl } from '@connectrpc/connect';
import type { ApprovalFlows, GivenAnswer } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import { type AnswerApprovalRequest, type ApprovalService, ApprovalStatus } from '@palyra/protocol';
import { callerIn, visitIn } from '../auth/context.ts';

const USUAL_LIMIT = 50;
const MOST = 500;

export function approvalService(approvals: ApprovalFlows): ServiceImpl<typeof ApprovalService> {
  const { desk } = approvals;
  return {
    async listApprovals({ status, limit }, { signal }) {
      const most = Math.min(limit === 0 ? USUAL_LIMIT : limit, MOST);
      return { approvals: [...(await approvals.list(status, most, signal))] };
    },
    async getApproval({ approvalId }, { signal, values }) {
      const whose = callerIn(values).principal;
      const { record, offers } = await approvals.show(approvalId, whose, signal);
      return { approval: record, offers: offers.map((offer) => ({ ...offer })) };
    },
    async *watchApprovals(_request, { signal }) {
      for await (const approval of approvals.watch(signal)) yield { approval };
    },
    async answerApproval(request, { values }) {
      const given = toAnswer(request);
      const { record, grant } =
        request.assertion === ''
          ? await approvals.answer(given, callerIn(values))
          : await approvals.answerConfirmed(given, request.assertion, visitIn(values));
      return { approval: record, ...(grant === undefined ? {} : { grant }) };
    },
    async listGrants() {
      const { grants, approvals: asked } = await approvals.grants();
      return { grants: [...grants], approvals: [...asked] };
    },
    async revokeGrant({ grantId }, { values }) {
      return { grant: await desk.revoke(grantId, callerIn(values)) };
    },
  };
}

/** Contract: throws INVALID_INPUT for what is no answer. */
export function toAnswer(request: AnswerApprovalRequest): GivenAnswer {
  const { approvalId, fingerprint, answer, reason, scope, shape, until, uses } = request;
  if (answer !== ApprovalStatus.GRANTED && answer !== ApprovalStatus.DENIED) {
    throw new PalyraError('INVALID_INPUT', 'the answer is neither yes nor no');
  }
  return {
    approvalId,
    fingerprint,
    answer: answer === ApprovalStatus.GRANTED ? 'granted' : 'denied',
    reason,
    scope,
    shape,
    until: until === '' ? undefined : toMoment(until),
    uses,
  };
}

function toMoment(text: string): Date {
  const moment = new Date(text);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new PalyraError('INVALID_INPUT', 'the end of the grant is no time', {
    help: 'write it as `2030-01-31T18:00:00Z`',
  });
}
