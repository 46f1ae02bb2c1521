import type { Scale } from './figure.ts';
import { FIGURES, isFigureName } from './figures.ts';
import type { Outcome } from './outcome.ts';
import { judge } from './target.ts';

/** One figure in a process of its own, so that none inherits the heap of the one before. */
async function main(): Promise<void> {
  const [name = '', scale = 'full'] = process.argv.slice(2);
  if (!isFigureName(name)) throw new Error(`there is no figure \`${name}\``);
  const { says, targets, measure } = await FIGURES[name]();
  const { runs, notes } = await measure(toScale(scale));
  const outcome = {
    says,
    notes: [...notes],
    parentRssMb: process.memoryUsage.rss() / 1e6,
    runs: runs.map((run) => ({ ...run, series: copied(run.series) })),
    verdicts: targets.map((target) => judge(target, runs)),
  } satisfies Outcome;
  process.stdout.write(JSON.stringify(outcome));
}

function copied(series: Readonly<Record<string, readonly number[]>>): Record<string, number[]> {
  return Object.fromEntries(Object.entries(series).map(([name, samples]) => [name, [...samples]]));
}

function toScale(text: string): Scale {
  return text === 'small' ? 'small' : 'full';
}

await main();
