import { useQuery } from '@tanstack/react-query';
import { PalyraError } from '@palyra/kernel';
import { gateway } from '../../wire/gateway.ts';
import { type Draft, candidateOf } from './draft.ts';
import { useSettled } from './use-settled.ts';

/** Shorter than a person waits, longer than the time between two letters. */
const WAIT_MS = 300;
/** The gateway checks one draft of a person at a time; the one before may not have heard yet that it is not wanted. */
const MOST_TRIES = 60;
const PATIENCE_MS = 60_000;

export function useCheck(draft: Draft) {
  const settled = useSettled(draft, WAIT_MS);
  return useQuery({
    queryKey: ['policy', 'check', JSON.stringify(settled)],
    queryFn: ({ signal }) =>
      gateway.policy.checkPolicy(
        { candidate: candidateOf(settled) },
        { signal, timeoutMs: PATIENCE_MS },
      ),
    retry: (tries, reason) => tries < MOST_TRIES && PalyraError.from(reason).code === 'OVERLOADED',
    retryDelay: WAIT_MS,
  });
}
