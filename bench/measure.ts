import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Figure, Scale } from './figure.ts';
import { FIGURES, isFigureName } from './figures.ts';
import type { Outcome } from './outcome.ts';
import { judge, namesIn } from './target.ts';

/** Last on the command line of a process that was started for its mounts. */
const WITH_OWN_MOUNTS = 'with-own-mounts';
/** Those of the process that makes sandboxes in the product. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=2'];

/** One figure in a process of its own, so that none inherits the heap of the one before. */
async function main(): Promise<void> {
  const [name = '', scale = 'full', mounts = ''] = process.argv.slice(2);
  if (!isFigureName(name)) throw new Error(`there is no figure \`${name}\``);
  const figure = await FIGURES[name]();
  if (figure.mounts === 'own' && mounts !== WITH_OWN_MOUNTS) {
    return await measureWithOwnMounts(name, scale);
  }
  process.stdout.write(JSON.stringify(await outcomeOf(figure, toScale(scale))));
}

async function measureWithOwnMounts(name: string, scale: string): Promise<void> {
  // Not above: every figure would have it in its memory.
  const { inOwnNamespace } = await import('@palyra/sandbox');
  const { file, arguments: words } = inOwnNamespace(process.geteuid?.() ?? -1, {
    file: process.execPath,
    arguments: [...FLAGS, import.meta.filename, name, scale, WITH_OWN_MOUNTS],
  });
  const child = spawn(file, words, { stdio: 'inherit' });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
}

async function outcomeOf(figure: Figure, scale: Scale): Promise<Outcome> {
  const { says, targets, measure } = figure;
  const { runs, notes, absent = [] } = await measure(scale);
  const judged = targets.filter((target) => !namesIn(target).some((it) => absent.includes(it)));
  return {
    says,
    notes: [...notes],
    parentRssMb: process.memoryUsage.rss() / 1e6,
    runs: runs.map((run) => ({ ...run, series: copied(run.series) })),
    verdicts: judged.map((target) => judge(target, runs)),
  };
}

function copied(series: Readonly<Record<string, readonly number[]>>): Record<string, number[]> {
  return Object.fromEntries(Object.entries(series).map(([name, samples]) => [name, [...samples]]));
}

function toScale(text: string): Scale {
  return text === 'small' ? 'small' : 'full';
}

await main();
