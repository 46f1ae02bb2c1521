import { create } from '@bufbuild/protobuf';
import { type Clock, PalyraError, createIds, systemClock } from '@palyra/kernel';
import { ModelUsageSchema, StopReason } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { runsSection } from '../../settings.ts';
import { DayShare, NO_AMOUNTS } from './day-share.ts';
import { HandClock } from './hand-clock.fixture.ts';
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
      const tokens = need.tokens + ahead;
      return { kind: 'reserved', held: { ...need, tokens, modelTurns: 20, wallMs: 600_000 } };
    },
    settle: async () => {},
  };
}

function budgetFrom(port: BudgetPort, clock: Clock = systemClock()): RunBudget {
  const ids = createIds(systemClock());
  const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>(), principal: 'user:ada' };
  const settings = { ...runsSection.parse({}), max_tokens: 100_000_000 };
  return new RunBudget(new DayShare(run, port), NOTHING_SPENT, { clock, settings });
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
    expect(port.wishes[0]).toEqual({
      ...NO_AMOUNTS,
      runs: 1,
      modelTurns: 1,
      tokens: 14_096,
      costMicroUsd: 1,
      wallMs: 1_000,
    });
  });
});

/** A day of so many milliseconds, given away one second at a time. */
function dayOf(wallMs: number): BudgetPort {
  return {
    reserve: async ({ spent, need }) => {
      const left = wallMs - spent.wallMs;
      if (left >= need.wallMs) return { kind: 'reserved', held: { ...need, tokens: 1_000_000 } };
      const short = { key: 'budgets.day_wall_ms', limit: wallMs, need: need.wallMs, left, held: 0 };
      return { kind: 'exhausted', ...short };
    },
    settle: async () => {},
  };
}

describe('the time that a run works', () => {
  it('is taken of the day piece by piece while the day lasts, and then the run is over', async () => {
    const clock = new HandClock();
    const budget = budgetFrom(dayOf(3_500), clock);
    budget.watch.start();
    await budget.reserveTurn(turn);
    for (const _piece of [1, 2]) {
      await clock.advance(1_000);
      expect(budget.signal.aborted).toBe(false);
    }
    await clock.advance(1_000);
    expect(budget.signal.reason).toMatchObject({
      stopReason: StopReason.DAY,
      message:
        'what comes next may take 1000, and 500 of `budgets.day_wall_ms` (3500) are left for today',
    });
  });

  it('is the run’s own where the day has more', async () => {
    const clock = new HandClock();
    const budget = budgetFrom(dayOf(1_000_000_000), clock);
    const { max_wall_ms: limit } = runsSection.parse({});
    budget.watch.start();
    await budget.reserveTurn(turn);
    for (let second = 0; second < limit / 1_000; second += 1) {
      expect(budget.signal.aborted).toBe(false);
      await clock.advance(1_000);
    }
    expect(budget.signal.reason).toMatchObject({ stopReason: StopReason.WALL_TIME });
  });

  it('ends where the day cannot be asked for more', async () => {
    const clock = new HandClock();
    const gone = new PalyraError('JOURNAL_UNWRITABLE', 'the disk is gone');
    const day = dayOf(5_000);
    let isGone = false;
    const reserve: BudgetPort['reserve'] = async (wish) => {
      if (isGone) throw gone;
      return await day.reserve(wish);
    };
    const budget = budgetFrom({ ...day, reserve }, clock);
    budget.watch.start();
    await budget.reserveTurn(turn);
    isGone = true;
    await clock.advance(1_000);
    expect(budget.signal.reason).toBe(gone);
  });
});

describe('questions to people', () => {
  it('are taken of the day, one by one', async () => {
    let left = 2;
    const reserve: BudgetPort['reserve'] = async ({ need }) => {
      left -= need.approvals;
      if (left >= 0) return { kind: 'reserved', held: need };
      return {
        kind: 'exhausted',
        key: 'budgets.day_approvals',
        limit: 2,
        need: 1,
        left: 0,
        held: 0,
      };
    };
    const budget = budgetFrom({ reserve, settle: async () => {} });
    await budget.reserveQuestion();
    await budget.reserveQuestion();
    await expect(budget.reserveQuestion()).rejects.toThrow(
      '`budgets.day_approvals` (2) is used up for today',
    );
    expect(budget.reached).toMatchObject({
      stopReason: StopReason.DAY,
      // A run that a limit ended is over for good: it cannot be taken up again.
      help: 'start it again tomorrow (UTC), or raise the named limit under `[budgets]` in palyra.toml',
    });
    expect(budget.spent.approvals).toBe(2);
  });
});

describe('a run that waits for people', () => {
  it('holds nothing of the day after a while, and takes another piece when it goes on', async () => {
    const clock = new HandClock();
    const day = dayOf(60_000);
    const settled: BudgetAmounts[] = [];
    const wishes: BudgetAmounts[] = [];
    const budget = budgetFrom(
      {
        reserve: async (wish) => {
          wishes.push(wish.need);
          return await day.reserve(wish);
        },
        settle: async ({ spent }) => void settled.push(spent),
      },
      clock,
    );
    budget.watch.start();
    await budget.reserveTurn(turn);
    await clock.advance(400);
    const { promise, resolve } = Promise.withResolvers<void>();
    const call = budget.watch.call(() => budget.watch.wait(() => promise));
    await clock.advance(1_999);
    expect(settled).toEqual([]);
    await clock.advance(1);
    expect(settled).toMatchObject([{ modelTurns: 1, wallMs: 400 }]);
    await clock.advance(1_000_000);
    expect([budget.signal.aborted, wishes.length]).toEqual([false, 1]);
    resolve();
    await call;
    await clock.advance(5);
    expect(wishes.at(-1)).toMatchObject({ modelTurns: 0, wallMs: 1_000 });
    expect(budget.signal.aborted).toBe(false);
  });

  it('keeps what it holds when it is answered soon', async () => {
    const clock = new HandClock();
    const settled: BudgetAmounts[] = [];
    const settle: BudgetPort['settle'] = async ({ spent }) => void settled.push(spent);
    const budget = budgetFrom({ ...dayOf(60_000), settle }, clock);
    budget.watch.start();
    const { promise, resolve } = Promise.withResolvers<void>();
    const call = budget.watch.call(() => budget.watch.wait(() => promise));
    await clock.advance(1_000);
    resolve();
    await call;
    await clock.advance(1_000);
    expect(settled).toEqual([]);
  });
});
