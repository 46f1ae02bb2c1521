import { describe, expect, it } from 'vitest';
import { withResult } from './soak-page.ts';

const result = {
  campaign: 'journal-crash',
  seed: 7,
  date: '2026-11-15',
  commit: 'abc1234',
  minutes: '3.0',
  outcome: '200 crashes, nothing lost',
};

describe('withResult', () => {
  it('starts a page', () => {
    expect(withResult('', result)).toContain(
      '| journal-crash | 200 crashes, nothing lost | 7 | 2026-11-15 | abc1234 | 3.0 |',
    );
  });

  it('replaces the last result of a campaign and keeps the others', () => {
    const first = withResult('', { ...result, campaign: 'fuzz' });
    const second = withResult(withResult(first, result), { ...result, seed: 8 });
    const rows = second.split('\n').filter((line) => /^\| (?:fuzz|journal)/.test(line));
    expect(rows.map((row) => row.split(' | ')[2])).toEqual(['7', '8']);
  });
});
