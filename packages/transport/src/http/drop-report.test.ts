import { quietLog } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDropReport } from './drop-report.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('connections that are closed as they come', () => {
  it('are told at once, and then counted into one line for every ten seconds', () => {
    const log = quietLog();
    using report = createDropReport(log);
    const counts = () => log.lines.map(({ fields }) => fields?.['count']);
    report.dropped();
    expect(counts()).toEqual([1]);
    for (let more = 0; more < 500; more += 1) report.dropped();
    expect(counts()).toEqual([1]);
    vi.advanceTimersByTime(10_000);
    expect(counts()).toEqual([1, 500]);
    vi.advanceTimersByTime(60_000);
    report.dropped();
    expect(counts()).toEqual([1, 500, 1]);
  });
});
