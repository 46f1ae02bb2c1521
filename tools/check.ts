import './right-node.cjs';
import { print } from './print.ts';
import { runSteps } from './step.ts';
import { CHECKS } from './steps.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 64;

/** `npm run check`, or `npm run check -- layers sizes` for some of it. */
async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !CHECKS.some((step) => step.name === name));
  if (unknown.length > 0) {
    print(
      `unknown check \`${unknown.join(' ')}\`; there are ${CHECKS.map(({ name }) => name).join(' ')}`,
    );
    return EXIT_USAGE;
  }
  const steps = names.length === 0 ? CHECKS : CHECKS.filter(({ name }) => names.includes(name));
  const outcomes = await runSteps(steps);
  return outcomes.some(({ failed }) => failed > 0) ? EXIT_FAILED : 0;
}

process.exitCode = await main(process.argv.slice(2));
