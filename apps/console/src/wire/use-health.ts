import type { Health } from '../session/health.ts';
import { queries } from './query.ts';
import { gatewayLater } from './second.ts';
import { type Question, useAsk } from './use-ask.ts';

const QUESTION: Question = ['health'];

export function useHealth() {
  return useAsk<Health>(QUESTION, async (signal) =>
    (await gatewayLater()).health.getHealth({}, { signal }),
  );
}

/** What was told before the page could ask for itself. Contract: takes the place of nothing newer. */
export async function keepHealth(told: Promise<Health | undefined>): Promise<void> {
  const health = await told;
  queries.setQueryData<Health>(QUESTION, (known) => known ?? health);
}
