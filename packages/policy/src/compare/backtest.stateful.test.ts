import { GainKind, DecisionKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import { backtest, type BacktestProgress, compare, type RecordedPage } from './backtest.ts';
import { askedFor, entryLine } from './recorded.fixture.ts';

const READS =
  '@id("reads") permit (principal, action == Action::"tool.execute", resource == Tool::"fs.read");';
const NOTHING = '@id("nothing") forbid (principal, action, resource);';
const encoder = new TextEncoder();

/** Pages of ten entries, of which every second is a decision. */
async function* pages(count: number): AsyncGenerator<RecordedPage> {
  for (let page = 0; page < count; page += 1) {
    const decisions = Array.from({ length: 5 }, (_, place) => {
      const asked = askedFor({
        tool: place === 0 ? 'fs.write' : 'fs.read',
        run: `${page}-${place}`,
      });
      const line = entryLine({ id: `${page}-${place}`, kind: DecisionKind.DENY, asked });
      return { canonical: encoder.encode(line) };
    });
    yield { entries: 10, decisions };
    await Promise.resolve();
  }
}

describe('a backtest in a process of its own', () => {
  it('decides every call of every page again, and tells how far it is', async () => {
    const set = await ruleSetOf(READS);
    const told: BacktestProgress[] = [];
    const journal = { read: () => pages(7) };
    for await (const step of backtest({ set, journal }, new AbortController().signal))
      told.push(step);
    expect(told.map(({ read }) => read)).toEqual([10n, 20n, 30n, 40n, 50n, 60n, 70n, 70n]);
    expect(told.at(-1)).toMatchObject({
      decided: 35n,
      report: { candidateHash: set.hash, calls: 35n, widened: 28n, unchanged: 7n },
    });
    expect(told.slice(0, -1).every(({ report }) => report === undefined)).toBe(true);
  });

  it('ends with a report when there was nothing to decide', async () => {
    const journal = { read: () => pages(0) };
    const steps = backtest({ set: await ruleSetOf(READS), journal }, new AbortController().signal);
    const [only] = await Array.fromAsync(steps);
    expect(only).toMatchObject({ decided: 0n, read: 0n, report: { calls: 0n } });
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const journal = { read: () => pages(1_000) };
    const steps = backtest({ set: await ruleSetOf(READS), journal }, stop.signal);
    await steps.next();
    stop.abort(new Error('enough'));
    await expect(Array.fromAsync(steps)).rejects.toThrow('enough');
  });

  it('fails when the engine does not take the candidate', async () => {
    const set = await ruleSetOf(READS);
    const twice = { ...set, rules: [...set.rules, ...set.rules] };
    const steps = backtest(
      { set: twice, journal: { read: () => pages(9) } },
      new AbortController().signal,
    );
    await expect(Array.fromAsync(steps)).rejects.toMatchObject({ code: 'POLICY_INVALID' });
  });

  it('compares two sets there, too', async () => {
    const task = { old: await ruleSetOf(NOTHING), candidate: await ruleSetOf(READS), tools: [] };
    const found = await compare(task, new AbortController().signal);
    expect(found.gains[0]).toMatchObject({ kind: GainKind.TOOL, principal: 'anyone' });
    const ended = AbortSignal.abort(new Error('nobody waits'));
    await expect(compare(task, ended)).rejects.toThrow('nobody waits');
  });
});
