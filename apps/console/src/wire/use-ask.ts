import { useQuery } from '@tanstack/react-query';
import type { Noun } from './query.ts';

/** What is asked: the noun it is about, and what tells this question from others about it. */
export type Question = readonly [noun: Noun, ...rest: readonly (string | number | boolean)[]];

/** An answer of the gateway, kept and asked for again when there is news about its noun. */
export function useAsk<Answer>(question: Question, ask: (signal: AbortSignal) => Promise<Answer>) {
  return useQuery({ queryKey: question, queryFn: ({ signal }) => ask(signal) });
}
