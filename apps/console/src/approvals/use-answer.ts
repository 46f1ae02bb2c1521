import { type AnswerApprovalResponse, ApprovalStatus } from '@palyra/protocol';
import { confirmWithPasskey } from '../passkeys/ceremony.ts';
import { gateway } from '../wire/gateway.ts';
import { forgetAnswers } from '../wire/query.ts';
import { useAct } from '../wire/use-act.ts';
import type { Standing } from './standing.ts';
import type { GivenAnswer } from './wish.ts';

/** Sends answers to a question. */
export function useAnswer({ needsPasskey }: Pick<Standing, 'needsPasskey'>) {
  return useAct({
    act: (given: GivenAnswer) => send(given, needsPasskey ? 'passkey' : 'device'),
    changes: ['approvals'],
    says: answeredWords,
  });
}

export type Answering = ReturnType<typeof useAnswer>;

async function send(
  given: GivenAnswer,
  strength: 'device' | 'passkey',
): Promise<AnswerApprovalResponse> {
  // A no needs no strength.
  const isConfirmed = strength === 'passkey' && given.answer === ApprovalStatus.GRANTED;
  try {
    const assertion = isConfirmed ? await confirmWithPasskey({ case: 'answer', value: given }) : '';
    return await gateway.approvals.answerApproval({ ...given, assertion });
  } catch (reason) {
    // What was refused may be another question by now, or none any more.
    forgetAnswers('approvals');
    throw reason;
  }
}

function answeredWords({ approval }: AnswerApprovalResponse): string {
  switch (approval?.status) {
    case ApprovalStatus.PENDING:
      return 'Your yes counts; it waits for more people';
    case ApprovalStatus.GRANTED:
      return 'Granted';
    case ApprovalStatus.DENIED:
      return 'Denied';
    case undefined:
    case ApprovalStatus.UNSPECIFIED:
    case ApprovalStatus.EXPIRED:
    case ApprovalStatus.CANCELLED:
      return 'Answered';
  }
  // A status of a newer gateway.
  return 'Answered';
}
