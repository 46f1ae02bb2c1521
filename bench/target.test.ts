import { describe, expect, it } from 'vitest';
import { DURATION, RATE, type Run } from './harness.ts';
import { judge } from './target.ts';

const TIMES: Run = {
  title: 'times',
  quantity: DURATION,
  series: { ours: [30, 40, 50], theirs: [20, 20, 80] },
};
const RATES: Run = {
  title: 'rates',
  quantity: RATE,
  series: { 'our rate': [90, 100, 110], 'their rate': [100, 125, 150] },
};

describe('judge', () => {
  it('lets the medians decide and tells the ratio of the best rounds too', () => {
    const target = {
      kind: 'ratio',
      subject: 'ours',
      baseline: 'theirs',
      limit: { atMost: 1.6 },
    } as const;
    expect(judge(target, [TIMES])).toEqual({
      target,
      unit: '×',
      decisive: 2,
      byBest: 1.5,
      isMet: false,
      used: 1.25,
    });
  });

  it('counts a rate at its lower bound as met', () => {
    const verdict = judge(
      { kind: 'ratio', subject: 'our rate', baseline: 'their rate', limit: { atLeast: 0.8 } },
      [RATES],
    );
    expect(verdict).toMatchObject({ decisive: 0.8, isMet: true, used: 1 });
  });

  it('judges what is added to a baseline', () => {
    const verdict = judge(
      { kind: 'difference', subject: 'ours', baseline: 'theirs', limit: { atMost: 40 } },
      [TIMES],
    );
    expect(verdict).toMatchObject({ unit: 'ms', decisive: 20, byBest: 10, isMet: true, used: 0.5 });
  });

  it('judges a value without a baseline', () => {
    const verdict = judge({ kind: 'value', subject: 'ours', limit: { atMost: 20 } }, [TIMES]);
    expect(verdict).toMatchObject({ unit: 'ms', decisive: 40, isMet: false, used: 2 });
  });

  it('lets the 95th percentiles decide where a target says so', () => {
    const target = {
      kind: 'ratio',
      subject: 'ours',
      baseline: 'theirs',
      limit: { atMost: 1 },
      by: 'p95',
    } as const;
    expect(judge(target, [TIMES])).toMatchObject({ decisive: 0.625, byBest: 1.5, isMet: true });
  });

  it('lets the best rounds decide where a target says so', () => {
    const target = {
      kind: 'ratio',
      subject: 'ours',
      baseline: 'theirs',
      limit: { atMost: 1 },
      by: 'best',
    } as const;
    expect(judge(target, [TIMES])).toMatchObject({ decisive: 1.5, byBest: 1.5, isMet: false });
  });

  it('refuses to compare what was not measured in the same run', () => {
    expect(() =>
      judge({ kind: 'ratio', subject: 'ours', baseline: 'their rate', limit: { atMost: 1 } }, [
        TIMES,
        RATES,
      ]),
    ).toThrow('`ours` and `their rate` were not measured in the same run');
  });
});
