import type { Checked, CheckOptions } from './check-rules.ts';
import type { FormatReport } from './format-rules.ts';
import type { TrialOptions } from '../cases/try-cases.ts';
import type { TestReport } from './test-rules.ts';

/** What needs rules and no gateway. Loaded when it is asked for: a daemon never does. */

export async function checkRules(
  paths: readonly string[],
  options: CheckOptions,
): Promise<Checked> {
  return await (await import('./check-rules.ts')).checkRules(paths, options);
}

export async function formatRules(
  paths: readonly string[],
  how: 'check' | 'write',
): Promise<FormatReport> {
  return await (await import('./format-rules.ts')).formatRules(paths, how);
}

export async function testRules(folder: string, options: TrialOptions): Promise<TestReport> {
  return await (await import('./test-rules.ts')).testRules(folder, options);
}
