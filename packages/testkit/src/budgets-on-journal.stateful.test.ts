import { type Amounts, type Budgets, budgetsSection, createBudgets } from '@palyra/budgets';
import { type Journal, journalSection, openJournal, verifyStore } from '@palyra/journal';
import { type Clock, createIds, systemClock } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { fixedClock } from './fixed-clock.ts';
import { type TempHome, tempHome } from './temp-home.ts';
import { verifies } from './verifies.ts';

const NOTHING: Amounts = {
  runs: 0,
  modelTurns: 0,
  toolCalls: 0,
  tokens: 0,
  costMicroUsd: 0,
  approvals: 0,
  wallMs: 0,
};
const ADA = 'user:ada';
const ids = createIds(systemClock());

interface Opened extends AsyncDisposable {
  readonly journal: Journal;
  budgets(limits?: object, clock?: Clock): Budgets;
}

async function opened({ places }: TempHome): Promise<Opened> {
  const settings = journalSection.parse({});
  const journal = await openJournal({ places, clock: systemClock(), ids, settings });
  return {
    journal,
    budgets: (limits = {}, clock = fixedClock()) =>
      createBudgets({
        records: journal.records,
        clock,
        settings: budgetsSection.parse({ day_tool_calls: 10, ...limits }),
      }),
    [Symbol.asyncDispose]: async () => await journal[Symbol.asyncDispose](),
  };
}

const wish = (runId: string, toolCalls: number, spent = NOTHING) => ({
  runId,
  principal: ADA,
  spent,
  need: { ...NOTHING, toolCalls },
});

async function dayOf(journal: Journal) {
  return (await journal.records.get('day_budgets', ADA))?.body;
}

describe('the last of a day', () => {
  it(
    'goes to exactly one of fifty runs of one gateway',
    verifies('runs:last-of-a-day-once'),
    async () => {
      await using home = await tempHome();
      await using at = await opened(home);
      const budgets = at.budgets({ day_tool_calls: 1 });
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, place) => budgets.reserve(wish(`run-${place}`, 1))),
      );
      expect(answers.filter(({ kind }) => kind === 'reserved')).toHaveLength(1);
      expect(answers.find(({ kind }) => kind === 'exhausted')).toEqual({
        kind: 'exhausted',
        key: 'budgets.day_tool_calls',
        limit: 1,
        need: 1,
        left: 0,
        held: 1,
      });
    },
  );

  it('goes to exactly one of several gateways on one store', async () => {
    await using home = await tempHome();
    await using at = await opened(home);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, place) =>
        at.budgets({ day_tool_calls: 1 }).reserve(wish(`run-${place}`, 1)),
      ),
    );
    expect(answers.filter(({ kind }) => kind === 'reserved')).toHaveLength(1);
  });

  it('is there again when whoever held it did not use it', async () => {
    await using home = await tempHome();
    await using at = await opened(home);
    const budgets = at.budgets({ day_tool_calls: 1 });
    await budgets.reserve(wish('one', 1));
    await budgets.settle({ runId: 'one', principal: ADA, spent: NOTHING });
    expect((await budgets.reserve(wish('two', 1))).kind).toBe('reserved');
  });
});

describe('what a day has come to', () => {
  it(
    'is the same after a restart, and a crash holds nothing for ever',
    verifies('runs:last-of-a-day-once'),
    async () => {
      await using home = await tempHome();
      {
        await using before = await opened(home);
        await before.budgets().reserve(wish('crashed', 8));
      }
      await using at = await opened(home);
      const budgets = at.budgets();
      expect((await budgets.reserve(wish('other', 8))).kind).toBe('exhausted');
      const spent = { ...NOTHING, toolCalls: 2 };
      await budgets.settle({ runId: 'crashed', principal: ADA, spent });
      await budgets.settle({ runId: 'crashed', principal: ADA, spent });
      expect(await dayOf(at.journal)).toMatchObject({ spent: { toolCalls: 2 } });
      expect((await budgets.reserve(wish('other', 8))).kind).toBe('reserved');
    },
  );

  it('is that of the day: tomorrow begins with nothing, held or spent', async () => {
    await using home = await tempHome();
    await using at = await opened(home);
    await at.budgets({}, fixedClock(new Date('2030-01-01T23:59:00Z'))).reserve(wish('one', 10));
    const tomorrow = at.budgets({}, fixedClock(new Date('2030-01-02T00:01:00Z')));
    expect((await tomorrow.reserve(wish('two', 10))).kind).toBe('reserved');
  });

  it('is each principal’s own', async () => {
    await using home = await tempHome();
    await using at = await opened(home);
    const budgets = at.budgets();
    await budgets.reserve(wish('one', 10));
    const others = { ...wish('two', 10), principal: 'user:bob' };
    expect((await budgets.reserve(others)).kind).toBe('reserved');
  });

  it('is on record, with the runs that changed it, in a store that verifies', async () => {
    await using home = await tempHome();
    await using at = await opened(home);
    const budgets = at.budgets();
    await budgets.reserve(wish('one', 1));
    await budgets.settle({ runId: 'one', principal: ADA, spent: { ...NOTHING, toolCalls: 1 } });
    const entries = await at.journal.page({ after: 0, limit: 10 });
    const notes = entries.filter(({ kind }) => kind === 'budget.changed');
    expect(notes.map(({ payload }) => payload)).toMatchObject([
      { principal: ADA, runIds: ['one'], held: { toolCalls: 2 } },
      { principal: ADA, runIds: ['one'], spent: { toolCalls: 1 } },
    ]);
    expect(await verifyStore(home.places)).toMatchObject({ verdict: 'intact' });
  });
});
