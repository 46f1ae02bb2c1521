import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';
import type { Outcome } from './step.ts';
import { outcomeOfReport } from './test-report.ts';

/** As vitest.config.ts divides the tests. */
export type Project = 'unit' | 'stateful' | 'programs';

export interface TestRun {
  readonly projects: readonly Project[];
  /** `show` for runs so long that silence would worry somebody. */
  readonly output: 'show' | 'keep';
}

/** Runs tests, those of several projects side by side, and counts what it says in its report, not what it prints. */
export async function runTests({ projects, output }: TestRun): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'palyra-tests-'));
  try {
    const report = join(folder, 'report.json');
    const result = await run({
      program: 'vitest',
      args: [
        'run',
        ...projects.map((project) => `--project=${project}`),
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...(process.stdout.isTTY ? [] : ['--no-color']),
      ],
      output,
    });
    return outcomeOfReport({ ...result, report: readReport(report) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run that died leaves no report; that is a failure and not an error of ours. */
function readReport(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
