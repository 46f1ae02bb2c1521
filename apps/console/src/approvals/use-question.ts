import { useState } from 'react';
import { gateway } from '../wire/gateway.ts';
import { useAsk } from '../wire/use-ask.ts';
import { askedText, questionOf } from './question.ts';

/** A question whole, with what it would have covered. */
export function useQuestion(approvalId: string) {
  return useAsk(['approvals', 'one', approvalId], async (signal) =>
    questionOf(await gateway.approvals.getApproval({ approvalId }, { signal })),
  );
}

export interface Reading {
  /** It is another one than what was read first. */
  readonly isChanged: boolean;
  /** The new one was read. */
  readonly readAgain: () => void;
}

/** Remembers what a person has read. Contract: for one question; another one is another component. */
export function useReading(approval: Parameters<typeof askedText>[0]): Reading {
  const now = askedText(approval);
  const [read, setRead] = useState(now);
  return { isChanged: read !== now, readAgain: () => setRead(now) };
}
