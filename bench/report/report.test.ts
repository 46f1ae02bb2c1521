import { describe, expect, it } from 'vitest';
import { DURATION } from '../harness.ts';
import { page } from './page.ts';
import { picture } from './picture.ts';
import type { Report } from './report.ts';

const REPORT: Report = {
  version: 1,
  scale: 'full',
  date: '2030-01-02',
  commit: 'abc',
  machine: '2 cores',
  figures: [
    {
      name: 'cli-start',
      says: 'The command line starts.',
      notes: [],
      loadBefore: 0.25,
      seconds: 3.4,
      parentRssMb: 61.2,
      runs: [
        { title: 'start', quantity: DURATION, series: { ours: [12_345, 20_000], idle: [5, 7] } },
      ],
      verdicts: [
        {
          target: { kind: 'ratio', subject: 'a < b', baseline: 'idle', limit: { atMost: 1.6 } },
          unit: '×',
          decisive: 2,
          byBest: 1.5,
          isMet: false,
          used: 1.25,
        },
        {
          target: { kind: 'difference', subject: 'ours', baseline: 'idle', limit: { atMost: 5 } },
          unit: 'ms',
          decisive: -0.1,
          byBest: 0,
          isMet: true,
          used: -0.02,
        },
      ],
    },
  ],
};

describe('the page', () => {
  it('shows every target with both ratios and whether it was met', () => {
    const lines = page(REPORT, 'targets.svg').split('\n');
    expect(lines).toContain(
      '| a < b | idle        |   2.00 × |         1.50 × | ≤ 1.6 × | **missed** |',
    );
  });

  it('shows best, median and 95th percentile of each subject, thousands apart', () => {
    const lines = page(REPORT, 'targets.svg').split('\n');
    expect(lines).toContain('| ours             |  12 345 | 16 173 | 20 000 |');
    expect(lines).toContain('| idle             |    5.00 |   6.00 |   7.00 |');
  });
});

describe('the picture', () => {
  const svg = picture(REPORT.figures.flatMap(({ verdicts }) => verdicts));

  it('marks a missed target in words too, not by colour alone', () => {
    expect(svg).toContain('2.00 × (≤ 1.6 ×) missed');
  });

  it('escapes the names of subjects', () => {
    expect(svg).toContain('a &lt; b');
  });

  it('draws no bar to the left of nothing', () => {
    expect(svg).toContain('class="met" x="330" y="72" width="0.0"');
  });
});
