import { stripVTControlCharacters } from 'node:util';
import { print } from './print.ts';
import type { Finding } from './tree.ts';

/** One line of `npm run check`. */
export interface Step {
  readonly name: string;
  /** Contract: a step that throws has failed, and what it threw is its output. */
  run(): Promise<Outcome> | Outcome;
}

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** Shown when something failed. */
  readonly output: string;
  /** Ids of promises whose tests passed. */
  readonly verified?: readonly string[];
}

/** Both cores of a small machine; some steps use more than one by themselves. */
const AT_ONCE = 2;

export function fromFindings(findings: readonly Finding[]): Outcome {
  return {
    passed: findings.length === 0 ? 1 : 0,
    failed: findings.length === 0 ? 0 : 1,
    output: findings.map(({ path, says }) => `${path}: ${says}\n`).join(''),
  };
}

/** Runs every step, also after a failure, and tells about each as it ends. */
export async function runSteps(
  steps: readonly Step[],
  tell: (line: string) => void = print,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = steps.entries();
  const work = async () => {
    // The workers share one iterator, so each step is taken once.
    for (const [index, step] of waiting) outcomes[index] = await runStep(step, tell);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}

async function runStep(step: Step, tell: (line: string) => void): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = await outcomeOf(step);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const counts = outcome.passed + outcome.failed > 1 ? `  ${describeCounts(outcome)}` : '';
  const word = outcome.failed === 0 ? 'ok' : 'FAILED';
  tell(`${step.name.padEnd(14)}${word.padEnd(8)}${seconds.padStart(6)} s${counts}`);
  if (outcome.failed > 0) tell(indent(outcome.output));
  return outcome;
}

async function outcomeOf(step: Step): Promise<Outcome> {
  try {
    return await step.run();
  } catch (reason) {
    const output = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    return { passed: 0, failed: 1, output };
  }
}

export function describeCounts({ passed, failed }: Pick<Outcome, 'failed' | 'passed'>): string {
  return `${passed} passed, ${failed} failed`;
}

function indent(output: string): string {
  return stripVTControlCharacters(output).trimEnd().replaceAll(/^/gm, '    ');
}
