import { parseArgs } from 'node:util';
import { PalyraError } from '@palyra/kernel';
import { randomFrom } from '@palyra/testkit';
import { print } from '../print.ts';
import { headerTarget } from './header-target.ts';
import type { Fed, Target } from './target.ts';
import { textTargets } from './text-targets.ts';
import { wireTargets } from './wire-targets.ts';

const MOST_BUGS = 20;

async function bugIn({ input, outcome }: Fed): Promise<string | undefined> {
  try {
    await outcome();
    return undefined;
  } catch (reason) {
    if (reason instanceof PalyraError && reason.code !== 'UNEXPECTED') return undefined;
    return `${String(reason)} for ${input.slice(0, 400)} … ${input.slice(-300)}`;
  }
}

/** Contract: each target has random numbers of its own, so that its inputs do not depend on the others. */
async function bugsIn({ name, next, inputs }: Target, seed: number): Promise<readonly string[]> {
  const random = randomFrom(seed);
  const bugs: string[] = [];
  for (let input = 0; input < inputs && bugs.length < MOST_BUGS; input += 1) {
    const bug = await bugIn(next(random));
    if (bug !== undefined) bugs.push(`${name}: ${bug}`);
  }
  print(`${name}: ${inputs} inputs, ${bugs.length} bugs`);
  return bugs;
}

const { values } = parseArgs({ options: { seed: { type: 'string' } } });
await using header = await headerTarget();
await using wire = await wireTargets();
const all = [...(await textTargets()), ...wire.targets, header.target];
const bugs: string[] = [];
for (const [place, target] of all.entries()) {
  bugs.push(...(await bugsIn(target, Number(values.seed) + place)));
}
for (const bug of bugs) print(bug);
const count = all.reduce((sum, { inputs }) => sum + inputs, 0);
print(`${count} hostile inputs to ${all.length} parsers, ${bugs.length} bugs`);
process.exitCode = bugs.length === 0 ? 0 : 1;
