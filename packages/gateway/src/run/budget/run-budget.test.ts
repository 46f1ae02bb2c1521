import { create } from '@bufbuild/protobuf';
import { createIds, systemClock } from '@palyra/kernel';
import { ModelUsageSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { runsSection } from '../../settings.ts';
import { DayShare, NO_AMOUNTS } from './day-share.ts';
import type { BudgetAmounts, BudgetPort } from './ports.ts';
import { RunBudget } from './run-budget.ts';
import { NOTHING_SPENT } from './spending.ts';

const AHEAD = 50_000;

/** A day that has so much more for everybody who comes. */
function dayWith(ahead: number): BudgetPort & { readonly wishes: BudgetAmounts[] } {
  const wishes: BudgetAmounts[] = [];
  return {
    wishes,
    reserve: async ({ need }) => {
      wishes.push(need);
      return { kind: 'reserved', held: { ...need, tokens: need.tokens + ahead } };
    },
    settle: async () => {},
  };
}

function budgetFrom(port: BudgetPort): RunBudget {
  const ids = createIds(systemClock());
  const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>(), principal: 'user:ada' };
  const settings = { ...runsSection.parse({}), max_tokens: 100_000_000 };
  return new RunBudget(new DayShare(run, port), NOTHING_SPENT, { clock: systemClock(), settings });
}

const turn = { inputTokens: 10_000, priceWith: () => 0 };

async function longestAnswers(budget: RunBudget, turns: number): Promise<readonly number[]> {
  const answers: number[] = [];
  for (let at = 0; at < turns; at += 1) {
    answers.push(await budget.reserveTurn(turn));
    budget.settleTurn(create(ModelUsageSchema, { inputTokens: 10_000n, outputTokens: 500n }));
  }
  return answers;
}

describe('what a model may answer with', () => {
  it('stays long while the day has plenty, and is what the run holds', async () => {
    const port = dayWith(AHEAD);
    const answers = await longestAnswers(budgetFrom(port), 20);
    expect(Math.min(...answers)).toBeGreaterThanOrEqual(16_384);
    expect(Math.max(...answers)).toBeLessThanOrEqual(AHEAD + 4_096);
    // A piece lasts for some turns.
    expect(port.wishes.length).toBeLessThan(15);
  });

  it('is the least that a turn needs where the day gives no more', async () => {
    const port = dayWith(0);
    expect(await longestAnswers(budgetFrom(port), 3)).toEqual([4_096, 4_096, 4_096]);
    expect(port.wishes[0]).toEqual({ ...NO_AMOUNTS, runs: 1, tokens: 14_096, costMicroUsd: 1 });
  });
});
