import { describe, expect, it } from 'vitest';
import { sinceTime } from './since.ts';
import { UsageError } from './usage-error.ts';

const now = new Date('2026-11-16T09:30:00Z');

describe('the beginning of a backtest', () => {
  it.each([
    ['7d', '2026-11-09T09:30:00.000Z'],
    ['12h', '2026-11-15T21:30:00.000Z'],
    ['30m', '2026-11-16T09:00:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-16T08:00:00Z', '2026-11-16T08:00:00.000Z'],
    ['2026-11-16T08:00+02:00', '2026-11-16T06:00:00.000Z'],
  ])('%j is %s', (text, time) => {
    expect(sinceTime(text, now)).toBe(time);
  });

  it.each([
    ['nothing', ''],
    ['a number without a unit', '7'],
    ['a unit that there is not', '7w'],
    ['less than nothing', '-7d'],
    ['more days than anybody has', '100000d'],
    ['a word', 'yesterday'],
    ['a day that begins like one', '2026-11-16 or so'],
    ['a moment without a zone', '2026-11-16T08:00:00'],
    ['a day that no calendar has', '2026-13-01'],
  ])('is not %s', (_what, text) => {
    expect(() => sinceTime(text, now)).toThrow(UsageError);
  });
});
