import '../tools/right-node.cjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { systemClock } from '@palyra/kernel';
import { print } from '../tools/print.ts';
import { ROOT, environment, run } from '../tools/run.ts';
import type { Scale } from './figure.ts';
import { FIGURE_NAMES, type FigureName } from './figures.ts';
import { circumstances, load } from './machine.ts';
import { parseOutcome } from './outcome.ts';
import { NODE } from './rig/child.ts';
import { page, summary } from './report/page.ts';
import { picture } from './report/picture.ts';
import { type MeasuredFigure, type Report, verdictsOf } from './report/report.ts';

const PICTURE = 'benchmarks/targets.svg';
const USAGE = 'npm run bench -- [--json] [--small] [part of the name of a figure …]';

interface Order {
  readonly names: readonly FigureName[];
  readonly scale: Scale;
  readonly output: 'text' | 'json';
}

/** A missed target is a result. Only something that broke is a failure. */
async function main(): Promise<void> {
  const order = parseOrder(process.argv.slice(2));
  if (order === undefined) {
    process.stderr.write(`${USAGE}\nfigures: ${FIGURE_NAMES.join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  const around = await circumstances(systemClock().now());
  await build();
  const figures: MeasuredFigure[] = [];
  for (const name of order.names) {
    const figure = await measure(name, order.scale);
    if (figure !== undefined) figures.push(figure);
  }
  const report: Report = { version: 1, scale: order.scale, ...around, figures };
  print(order.output === 'json' ? JSON.stringify(report) : `\n${summary(report)}`);
  if (figures.length < order.names.length) process.exitCode = 1;
  else if (order.scale === 'full' && figures.length === FIGURE_NAMES.length) await publish(report);
}

/** Contract: `undefined` when somebody asks for a figure that does not exist. */
function parseOrder(args: string[]): Order | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' }, small: { type: 'boolean' } },
  });
  const isMeant = (name: FigureName) => positionals.some((word) => name.includes(word));
  if (!positionals.every((word) => FIGURE_NAMES.some((name) => name.includes(word)))) {
    return undefined;
  }
  return {
    names: positionals.length === 0 ? FIGURE_NAMES : FIGURE_NAMES.filter(isMeant),
    scale: values.small === true ? 'small' : 'full',
    output: values.json === true ? 'json' : 'text',
  };
}

/** What is measured is what is in the tree. */
async function build(): Promise<void> {
  await refuseUnlessSetUp();
  const { code, output } = await run({ program: NODE, args: ['tools/build.ts'], output: 'keep' });
  if (code !== 0) throw new Error(`the programs cannot be built: ${output}`);
}

/** Otherwise `./palyra` would set everything up in the middle of being measured. */
async function refuseUnlessSetUp(): Promise<void> {
  const lockedAt = (await stat(join(ROOT, 'package-lock.json'))).mtimeMs;
  const mark = await stat(join(ROOT, 'dist/set-up')).catch(() => undefined);
  if (mark !== undefined && mark.mtimeMs > lockedAt) return;
  throw new Error('Palyra is not set up; start `./palyra --version` once');
}

async function measure(name: FigureName, scale: Scale): Promise<MeasuredFigure | undefined> {
  const loadBefore = load();
  const startedAt = performance.now();
  const child = spawn(NODE, [join(import.meta.dirname, 'measure.ts'), name, scale], {
    cwd: ROOT,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [answer] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const seconds = (performance.now() - startedAt) / 1_000;
  const isWhole = child.exitCode === 0;
  process.stderr.write(`${name}: ${isWhole ? `${seconds.toFixed(1)} s` : 'broke'}\n`);
  return isWhole ? { name, loadBefore, seconds, ...parseOutcome(answer) } : undefined;
}

async function publish(report: Report): Promise<void> {
  const docs = join(ROOT, 'docs');
  await mkdir(join(docs, 'benchmarks'), { recursive: true });
  await writeFile(join(docs, PICTURE), picture(verdictsOf(report)));
  await writeFile(join(docs, 'benchmarks.md'), page(report, PICTURE));
  process.stderr.write('wrote docs/benchmarks.md and its picture\n');
}

await main();
