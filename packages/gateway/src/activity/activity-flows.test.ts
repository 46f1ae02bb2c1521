import { describe, expect, it } from 'vitest';
import { ActivityFlows } from './activity-flows.ts';
import type { ActivityHour, RuleCount } from './ports.ts';

const NOW = new Date('2026-01-03T10:30:00Z');
const clock = { now: () => NOW, sleep: () => Promise.resolve() };
const NOTHING = {
  runs: 0,
  callsAllowed: 0,
  callsAsked: 0,
  callsDenied: 0,
  callsFailed: 0,
  tokens: 0,
  costMicroUsd: 0,
};

function flows(hours: readonly ActivityHour[], rules: readonly RuleCount[] = []) {
  const asked: string[] = [];
  const port = {
    hours: async (since: Date) => {
      asked.push(since.toISOString());
      return hours.filter(({ start }) => start >= since);
    },
    rules: async (since: Date) => {
      asked.push(since.toISOString());
      return rules;
    },
  };
  return { flows: new ActivityFlows(port, clock), asked };
}

const hour = (start: string, counts: Partial<ActivityHour>): ActivityHour => ({
  ...NOTHING,
  start: new Date(start),
  ...counts,
});

describe('activity over time', () => {
  const hours = [
    hour('2026-01-02T23:00:00Z', { runs: 1, tokens: 5 }),
    hour('2026-01-03T08:00:00Z', { runs: 2, callsDenied: 1 }),
    hour('2026-01-03T10:00:00Z', { runs: 4, costMicroUsd: 9 }),
  ];

  it('has a slot for every hour up to now, also where nothing happened', async () => {
    const { flows: activity } = flows(hours);
    expect(await activity.slots(new Date('2026-01-03T08:59:59Z'), 'hour')).toEqual([
      { ...NOTHING, start: new Date('2026-01-03T08:00:00Z'), runs: 2, callsDenied: 1 },
      { ...NOTHING, start: new Date('2026-01-03T09:00:00Z') },
      { ...NOTHING, start: new Date('2026-01-03T10:00:00Z'), runs: 4, costMicroUsd: 9 },
    ]);
  });

  it('adds the hours of a day, of the first day all of them', async () => {
    const { flows: activity, asked } = flows(hours);
    expect(await activity.slots(new Date('2026-01-02T23:30:00Z'), 'day')).toMatchObject([
      { start: new Date('2026-01-02T00:00:00Z'), runs: 1, tokens: 5 },
      { start: new Date('2026-01-03T00:00:00Z'), runs: 6, callsDenied: 1 },
    ]);
    expect(asked).toEqual(['2026-01-02T00:00:00.000Z']);
  });

  it('is empty for what is still to come, and refuses more than 400 slots', async () => {
    const { flows: activity } = flows(hours);
    expect(await activity.slots(new Date('2026-02-01T00:00:00Z'), 'day')).toEqual([]);
    expect(await activity.slots(new Date(NOW.getTime() - 399 * 3_600_000), 'hour')).toHaveLength(
      400,
    );
    await expect(
      activity.slots(new Date(NOW.getTime() - 400 * 3_600_000), 'hour'),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('activity of rules', () => {
  it('names those first that decided most often', async () => {
    const rule = (ruleId: string, count: number) => ({ ruleId, count, lastAt: '' });
    const { flows: activity, asked } = flows([], [rule('b', 1), rule('c', 3), rule('a', 1)]);
    expect((await activity.rules(7)).map(({ ruleId }) => ruleId)).toEqual(['c', 'a', 'b']);
    expect(asked).toEqual(['2025-12-28T10:30:00.000Z']);
  });
});
