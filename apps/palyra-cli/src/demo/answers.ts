import type { PalyraClient } from '@palyra/client';
import { ApprovalStatus, type RunEvent } from '@palyra/protocol';
import { readApproval } from '../answer-approval.ts';
import { answerTo } from '../one-approval.ts';
import type { CallTale } from './call-tale.ts';
import { TOLD_CALLS } from './chapters.ts';

/** Whoever hears the events of a run and may answer its questions. */
export interface Listener {
  hear(event: RunEvent, tales: readonly CallTale[]): void;
  /** Contract: rejects when a question could not be answered; absent where a person can do it elsewhere. */
  readonly failed?: Promise<never>;
  end(): Promise<void>;
}

/** Answers as the story tells; what the story does not know is denied. */
export function answering(client: PalyraClient): Listener {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const given: Promise<void>[] = [];
  const answer = async (approvalId: string, said: 'granted' | 'denied') => {
    const shown = await readApproval(client, approvalId);
    const reason = said === 'denied' ? 'a file told the agent to ask for it' : '';
    await client.approvals.answerApproval(answerTo(shown, said, reason));
  };
  return {
    hear: ({ event }, tales) => {
      if (event.case !== 'approvalChanged') return;
      const { approvalId, callId, status, voice } = event.value;
      if (status !== ApprovalStatus.PENDING || voice !== undefined) return;
      given.push(answer(approvalId, answerFor(tales, callId)).catch(reject));
    },
    failed,
    end: async () => void (await Promise.all(given)),
  };
}

/** Contract: pure. */
export function answerFor(tales: readonly CallTale[], callId: string): 'granted' | 'denied' {
  const told = TOLD_CALLS[tales.findIndex((tale) => tale.callId === callId)];
  return told?.ending === 'ran after a yes' ? 'granted' : 'denied';
}
