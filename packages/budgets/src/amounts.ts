import { create } from '@bufbuild/protobuf';
import { type BudgetAmounts, BudgetAmountsSchema } from '@palyra/protocol';

/** What is counted. Whole numbers, never below 0. */
export interface Amounts {
  readonly runs: number;
  readonly modelTurns: number;
  readonly toolCalls: number;
  readonly tokens: number;
  readonly costMicroUsd: number;
  /** Questions that were put to people. */
  readonly approvals: number;
  readonly wallMs: number;
}

export type Counted = keyof Amounts;

export const COUNTED: readonly Counted[] = [
  'runs',
  'modelTurns',
  'toolCalls',
  'tokens',
  'costMicroUsd',
  'approvals',
  'wallMs',
];

export function each(amount: (counted: Counted) => number): Amounts {
  return {
    runs: amount('runs'),
    modelTurns: amount('modelTurns'),
    toolCalls: amount('toolCalls'),
    tokens: amount('tokens'),
    costMicroUsd: amount('costMicroUsd'),
    approvals: amount('approvals'),
    wallMs: amount('wallMs'),
  };
}

export const NOTHING: Amounts = each(() => 0);

export function plus(one: Amounts, other: Amounts): Amounts {
  return each((counted) => one[counted] + other[counted]);
}

/** What is left of one after the other: nothing rather than less. */
export function minus(one: Amounts, other: Amounts): Amounts {
  return each((counted) => Math.max(0, one[counted] - other[counted]));
}

export function amountsOf(message: BudgetAmounts | undefined): Amounts {
  if (message === undefined) return NOTHING;
  return each((counted) => Number(message[counted]));
}

export function messageOf({ tokens, costMicroUsd, wallMs, ...small }: Amounts): BudgetAmounts {
  return create(BudgetAmountsSchema, {
    ...small,
    tokens: BigInt(tokens),
    costMicroUsd: BigInt(costMicroUsd),
    wallMs: BigInt(wallMs),
  });
}
