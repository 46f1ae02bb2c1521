import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Problem, Waiting } from '@palyra/ui';

export interface AnswerProps<Data> {
  readonly of: UseQueryResult<Data>;
  /** How tall the place is kept while it is waited for. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

/** Shows an answer, or that it is waited for, or why there is none. An old one stays until the new one comes. */
export function Answer<Data>({ of: query, lines = 3, children }: AnswerProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Problem reason={query.error} onRetry={() => void query.refetch()} />;
  return <Waiting lines={lines} />;
}
