import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { PalyraError } from '@palyra/kernel';
import { Problem, Waiting } from '@palyra/ui';

export interface AnswerProps<Data> {
  readonly of: UseQueryResult<Data>;
  /** How tall the place is kept while it is waited for. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

/** Shows an answer, or that it is waited for, or why there is none. An old one stays, and is called old. */
export function Answer<Data>({ of: query, lines = 3, children }: AnswerProps<Data>) {
  if (query.data === undefined) {
    if (query.isError) return <Problem reason={query.error} onRetry={() => void query.refetch()} />;
    return <Waiting lines={lines} />;
  }
  return (
    <>
      {query.isError ? <Old reason={query.error} /> : null}
      {children(query.data)}
    </>
  );
}

function Old({ reason }: { readonly reason: unknown }) {
  return (
    <p role="status" className="m-2 rounded-lg bg-wait-tint px-3 py-2 text-sm text-wait">
      What is shown is old: {PalyraError.from(reason).message}
    </p>
  );
}
