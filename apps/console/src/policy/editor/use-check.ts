import { useQuery } from '@tanstack/react-query';
import { gateway } from '../../wire/gateway.ts';
import { oneAtATime } from '../../wire/one-at-a-time.ts';
import { type Draft, candidateOf, isSame } from './draft.ts';
import { useSettled } from './use-settled.ts';

/** Shorter than a person waits, longer than the time between two letters. */
const WAIT_MS = 300;
const PATIENCE_MS = 60_000;

/** The gateway checks one draft of a person at a time. */
const inTurn = oneAtATime();

/** `isOld`: what is known is about what was written before. */
export function useCheck(draft: Draft) {
  const settled = useSettled(draft, WAIT_MS);
  const answer = useQuery({
    queryKey: ['policy', 'check', JSON.stringify(settled)],
    queryFn: ({ signal }) =>
      inTurn(
        () =>
          gateway.policy.checkPolicy(
            { candidate: candidateOf(settled) },
            { timeoutMs: PATIENCE_MS },
          ),
        signal,
      ),
  });
  return { answer, isOld: !isSame(settled, draft) };
}
