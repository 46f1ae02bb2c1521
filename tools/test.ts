import './right-node.cjs';
import { REQUIREMENTS, type Requirement } from '../tests/requirements.ts';
import { buildAll } from './build.ts';
import { checkKept } from './guards/check-kept.ts';
import { print } from './print.ts';
import { type Outcome, type Step, describeCounts, fromFindings, runSteps } from './step.ts';
import { GUARDS } from './steps.ts';
import { installNeeds } from './test-needs.ts';
import { runTests } from './test-run.ts';

/** First of all: tests start the programs as they are built. */
const BUILD: Step = {
  name: 'build',
  async run() {
    await buildAll();
    return { passed: 1, failed: 0, output: '' };
  },
};
const TESTS: Step = {
  name: 'tests',
  run: () => runTests({ projects: ['unit', 'stateful', 'programs'], output: 'show' }),
};

/** `npm test`: everything there is, and how much of it passed. */
async function main(): Promise<number> {
  await installNeeds();
  const outcomes = [
    ...(await runSteps([BUILD])),
    // Beside each other: what tests leave of the cores while they wait is enough for the guards.
    ...(await runSteps([TESTS, ...GUARDS])),
  ];
  outcomes.push(...(await runSteps([keptStep(outcomes)])));
  const total = outcomes.reduce(add);
  print('');
  print(describeCounts(total));
  return total.failed === 0 ? 0 : 1;
}

function keptStep(outcomes: readonly Outcome[]): Step {
  const requirements: Readonly<Record<string, Requirement>> = REQUIREMENTS;
  const verified = new Set(outcomes.flatMap((outcome) => outcome.verified ?? []));
  return {
    name: 'promises kept',
    run: () => fromFindings(checkKept(requirements, { verified, platform: process.platform })),
  };
}

function add(one: Outcome, other: Outcome): Outcome {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed, output: '' };
}

process.exitCode = await main();
