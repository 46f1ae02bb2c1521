import { describe, expect, it } from 'vitest';
import { outcomeOfReport } from './test-report.ts';

const passed = { status: 'passed', meta: { verifies: ['a:b'] } };
const failed = { status: 'failed', meta: { verifies: ['c:d'] } };
const skipped = { status: 'skipped', meta: { verifies: ['e:f'] } };

describe('outcomeOfReport', () => {
  it('counts tests and collects the promises of those that passed', () => {
    const report = reportOf(['failed', [passed, passed, failed, skipped]]);
    expect(outcomeOfReport({ code: 1, output: 'x', report })).toEqual({
      passed: 2,
      failed: 1,
      output: 'x',
      verified: ['a:b', 'a:b'],
    });
  });

  it.each([
    ['a run without a report', 1, undefined],
    ['a file that did not load', 1, reportOf(['failed', []])],
    ['a run that ended badly after all tests passed', 1, reportOf(['passed', [passed]])],
    ['a run without any test', 0, reportOf()],
  ])('counts %s as a failure', (_, code, report) => {
    expect(outcomeOfReport({ code, output: '', report }).failed).toBe(1);
  });
});

function reportOf(...files: readonly (readonly [string, readonly object[]])[]): string {
  return JSON.stringify({
    testResults: files.map(([status, assertionResults]) => ({ status, assertionResults })),
  });
}
