import { plural } from '@palyra/client';
import type { Spent } from './run-outcome.ts';
import { usd } from './words.ts';

export function spentWords({ modelTurns, tokens, costMicroUsd }: Spent): string {
  const words = [
    plural(modelTurns, 'model turn'),
    ...(tokens === 0n ? [] : [plural(Number(tokens), 'token')]),
    ...(costMicroUsd === undefined ? [] : [`${usd(costMicroUsd)} USD`]),
  ];
  return words.join(', ');
}
