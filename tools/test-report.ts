import { z } from 'zod';
import type { Outcome } from './step.ts';

const reportShape = z.object({
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          meta: z.object({ verifies: z.array(z.string()).default([]) }).default({ verifies: [] }),
        }),
      ),
    }),
  ),
});
type Report = z.infer<typeof reportShape>;
type FileReport = Report['testResults'][number];

export interface FinishedRun {
  readonly code: number;
  readonly output: string;
  /** vitest's JSON report; absent when the run did not get that far. */
  readonly report: string | undefined;
}

/** Contract: a run that ended badly never counts as passed, whatever its report says. */
export function outcomeOfReport({ code, output, report }: FinishedRun): Outcome {
  if (report === undefined) return { passed: 0, failed: 1, output };
  const { testResults } = reportShape.parse(JSON.parse(report));
  const passed = sum(testResults.map((file) => countOf(file, 'passed')));
  const failed = sum(testResults.map(failuresOf));
  return {
    passed,
    failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed,
    output,
    verified: testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed')
      .flatMap(({ meta }) => meta.verifies),
  };
}

/** A file that failed to load has no failed test, and still failed. */
function failuresOf(file: FileReport): number {
  const failed = countOf(file, 'failed');
  return failed === 0 && file.status === 'failed' ? 1 : failed;
}

function countOf({ assertionResults }: FileReport, status: string): number {
  return assertionResults.filter((each) => each.status === status).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
