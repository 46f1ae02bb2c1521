import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Amounts, COUNTED, NOTHING, each, plus } from './amounts.ts';
import { type Day, type Lease, dayOn, settle, take } from './ledger.ts';

const TODAY = '2030-01-02';
const LIMITS: Amounts = {
  runs: 3,
  modelTurns: 24,
  toolCalls: 40,
  tokens: 3_000,
  costMicroUsd: 900,
  approvals: 9,
  wallMs: 80_000,
};
const empty = dayOn(undefined, TODAY);
const calls = (toolCalls: number): Amounts => ({ ...NOTHING, toolCalls });
const amounts = fc.record({
  runs: fc.nat(1),
  modelTurns: fc.nat(8),
  toolCalls: fc.nat(12),
  tokens: fc.nat(900),
  costMicroUsd: fc.nat(300),
  approvals: fc.nat(3),
  wallMs: fc.nat(20_000),
});

describe('a day', () => {
  it('gives a run what it needs and an eighth of the rest ahead, of everything', () => {
    const wish = { spent: NOTHING, need: calls(1) };
    const held = {
      runs: 0,
      modelTurns: 3,
      toolCalls: 5,
      tokens: 375,
      costMicroUsd: 112,
      approvals: 1,
      wallMs: 10_000,
    };
    expect(take({ day: empty, lease: undefined }, wish, LIMITS)).toMatchObject({
      kind: 'taken',
      account: { day: { held }, lease: { held } },
    });
  });

  it('gives its last unit and then says what it lacks', () => {
    const day = { ...empty, spent: calls(39) };
    const wish = { spent: NOTHING, need: calls(1) };
    const last = take({ day, lease: undefined }, wish, LIMITS);
    if (last.kind !== 'taken') throw new Error('there was one left');
    expect(last.account.day.held.toolCalls).toBe(1);
    const next = take({ day: last.account.day, lease: undefined }, wish, LIMITS);
    expect(next).toMatchObject({ kind: 'exhausted', counted: 'toolCalls' });
  });

  it('counts what an answer cost, not what was reserved for it', () => {
    const lease = { day: TODAY, held: calls(5), settled: calls(10) };
    const day = { ...empty, held: calls(5), spent: calls(10) };
    expect(settle({ day, lease }, calls(30)).day).toMatchObject({
      spent: calls(30),
      held: NOTHING,
    });
  });

  it('that is new owes nothing to the one before, and never goes back', () => {
    const yesterday = { day: '2030-01-01', spent: calls(40), held: calls(5) };
    const lease = { day: '2030-01-01', held: calls(5), settled: NOTHING };
    const day = dayOn(yesterday, TODAY);
    expect(settle({ day, lease }, calls(5))).toEqual({ day: empty, lease: undefined });
    expect(dayOn(empty, '2030-01-01')).toBe(empty);
  });

  it('that a wrong clock put far ahead ends with today, and what was used of it counts', () => {
    const far = { day: '2099-01-01', spent: calls(7), held: calls(5) };
    expect(dayOn(far, TODAY)).toEqual({ day: TODAY, spent: calls(7), held: NOTHING });
  });
});

describe('whatever runs do', () => {
  const step = fc.record({
    run: fc.nat(3),
    need: amounts,
    /** What it really costs, in hundredths of what was needed: up to twice as much. */
    truth: fc.nat(200),
    ends: fc.boolean(),
  });

  it('no reservation goes over a limit, and what is settled is the truth', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let day: Day = empty;
        const leases = new Map<number, Lease | undefined>();
        const spent = new Map<number, Amounts>();
        for (const { run, need, truth, ends } of steps) {
          const before = spent.get(run) ?? NOTHING;
          const taking = take({ day, lease: leases.get(run) }, { spent: before, need }, LIMITS);
          if (taking.kind === 'exhausted') continue;
          for (const counted of COUNTED.filter((wanted) => need[wanted] > 0)) {
            const used = taking.account.day.spent[counted] + taking.account.day.held[counted];
            expect(used).toBeLessThanOrEqual(LIMITS[counted]);
          }
          const after = plus(
            before,
            each((counted) => Math.floor((need[counted] * truth) / 100)),
          );
          spent.set(run, after);
          const account = ends ? settle(taking.account, after) : taking.account;
          day = account.day;
          leases.set(run, account.lease);
        }
        for (const [run, lease] of leases) {
          day = settle({ day, lease }, spent.get(run) ?? NOTHING).day;
        }
        const truth = [...spent.values()].reduce(plus, NOTHING);
        expect(day).toEqual({ day: TODAY, spent: truth, held: NOTHING });
      }),
    );
  });
});
