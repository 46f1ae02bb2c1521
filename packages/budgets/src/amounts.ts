import { create } from '@bufbuild/protobuf';
import { type BudgetAmounts, BudgetAmountsSchema } from '@palyra/protocol';

/** What is counted. Whole numbers, never below 0. */
export interface Amounts {
  readonly runs: number;
  readonly toolCalls: number;
  readonly tokens: number;
  readonly costMicroUsd: number;
}

export type Counted = keyof Amounts;

export const NOTHING: Amounts = { runs: 0, toolCalls: 0, tokens: 0, costMicroUsd: 0 };

export const COUNTED: readonly Counted[] = ['runs', 'toolCalls', 'tokens', 'costMicroUsd'];

export function each(amount: (counted: Counted) => number): Amounts {
  return {
    runs: amount('runs'),
    toolCalls: amount('toolCalls'),
    tokens: amount('tokens'),
    costMicroUsd: amount('costMicroUsd'),
  };
}

export function plus(one: Amounts, other: Amounts): Amounts {
  return each((counted) => one[counted] + other[counted]);
}

/** What is left of one after the other: nothing rather than less. */
export function minus(one: Amounts, other: Amounts): Amounts {
  return each((counted) => Math.max(0, one[counted] - other[counted]));
}

export function amountsOf(message: BudgetAmounts | undefined): Amounts {
  if (message === undefined) return NOTHING;
  const { runs, toolCalls, tokens, costMicroUsd } = message;
  return { runs, toolCalls, tokens: Number(tokens), costMicroUsd: Number(costMicroUsd) };
}

export function messageOf({ runs, toolCalls, tokens, costMicroUsd }: Amounts): BudgetAmounts {
  return create(BudgetAmountsSchema, {
    runs,
    toolCalls,
    tokens: BigInt(tokens),
    costMicroUsd: BigInt(costMicroUsd),
  });
}
