import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
  const folder = temporaryFolder();
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
      env: { TMPDIR: folder },
      output,
    });
    return outcomeOfReport({ ...result, report: readReport(report) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Everybody's, as the usual one is: some tests are somebody else. Short, since sockets have paths too.
 *
 * ext4 looks at every file that was removed nearby in the last minutes before it makes a new one, and
 * tests remove thousands. `T` lets it put each folder in here somewhere else on the disk. Where there
 * is no such thing, tests take more of the processor, nothing else.
 */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'palyra-'));
  chmodSync(folder, 0o1777);
  spawnSync('chattr', ['+T', folder], { stdio: 'ignore' });
  return folder;
}

/** A run that died leaves no report; that is a failure and not an error of ours. */
function readReport(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
