import { QueryClient } from '@tanstack/react-query';
import { PalyraError } from '@palyra/kernel';

const MOST_TRIES = 3;

/** What another try may well find gone; tries come after one second, two and four. */
function mayPass(reason: unknown): boolean {
  return ['DAEMON_UNREACHABLE', 'OVERLOADED'].includes(PalyraError.from(reason).code);
}

/** Answers are kept until a live note says that they are old, so nothing is asked twice for nothing. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      refetchOnWindowFocus: false,
      retry: (tries, reason) => tries < MOST_TRIES && mayPass(reason),
    },
  },
});

/**
 * The first word of a query's key is its noun, so that news about a noun reach every page that shows
 * it. Here stands which ones there are.
 */
export type Noun =
  | 'access'
  | 'activity'
  | 'approvals'
  | 'caller'
  | 'config'
  | 'devices'
  | 'doctor'
  | 'health'
  | 'journal'
  | 'models'
  | 'passkeys'
  | 'policy'
  | 'runs'
  | 'sandbox'
  | 'sessions';

export function forgetAnswers(noun: Noun): void {
  void queries.invalidateQueries({ queryKey: [noun] });
}
