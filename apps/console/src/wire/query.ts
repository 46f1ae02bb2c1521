import { QueryClient, type QueryFilters, type QueryKey } from '@tanstack/react-query';
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
  forget({ queryKey: [noun] });
}

export function forgetAllAnswers(): void {
  forget({});
}

/** Contract: what is shown in the end was asked for after this. */
function forget(which: QueryFilters): void {
  const first = queries.getQueryCache().findAll({
    ...which,
    fetchStatus: 'fetching',
    predicate: ({ state }) => state.data === undefined && !state.isInvalidated,
  });
  void queries.invalidateQueries(which);
  // Asked for the first time, they are left alone; their answer may be of the time before.
  for (const query of first)
    void query.fetch().then(
      () => askAgain(query.queryKey),
      () => undefined,
    );
}

async function askAgain(queryKey: QueryKey): Promise<void> {
  await queries.invalidateQueries({ queryKey, exact: true });
}
