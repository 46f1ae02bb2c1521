import './right-node.cjs';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '@palyra/kernel';
import { CAMPAIGNS, type Campaign } from './campaigns/list.ts';
import { print } from './print.ts';
import { ROOT, run } from './run.ts';
import { withResult } from './soak-page.ts';

const PAGE = join(ROOT, 'docs/soak.md');
const MAX_SEED = 2 ** 32;
const EXIT_FAILED = 1;
const EXIT_USAGE = 64;

/** `npm run soak [-- CAMPAIGN] [--seed N]`. */
async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { seed: { type: 'string' } },
  });
  const seed = values.seed === undefined ? randomInt(MAX_SEED) : Number(values.seed);
  const campaigns = CAMPAIGNS.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  if (campaigns.length === 0 || !Number.isSafeInteger(seed) || seed < 0) {
    print(`usage: npm run soak -- [${CAMPAIGNS.map(({ name }) => name).join(' | ')}] [--seed N]`);
    return EXIT_USAGE;
  }
  const commit = await commitHere();
  let exitCode = 0;
  for (const campaign of campaigns) {
    if (!(await runCampaign(campaign, seed, commit))) exitCode = EXIT_FAILED;
  }
  return exitCode;
}

async function runCampaign(campaign: Campaign, seed: number, commit: string): Promise<boolean> {
  print(`${campaign.name}: ${campaign.says}; seed ${seed}`);
  const startedAt = systemClock().now();
  const { code, output } = await run({
    program: process.execPath,
    args: [join(ROOT, campaign.program), '--seed', String(seed)],
    output: 'both',
  });
  const minutes = (systemClock().now().getTime() - startedAt.getTime()) / 60_000;
  const sentence = output.trimEnd().split('\n').at(-1) ?? '';
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  const result = {
    campaign: campaign.name,
    seed,
    date: startedAt.toISOString().slice(0, 10),
    commit,
    minutes: minutes.toFixed(1),
    outcome: code === 0 ? sentence : `**failed**: ${sentence}`,
  };
  writeFileSync(PAGE, withResult(page, result));
  return code === 0;
}

/** A result on top of changes that nobody else has must not look like one of the commit. */
async function commitHere(): Promise<string> {
  const git = async (...args: readonly string[]) =>
    await run({ program: 'git', args, output: 'keep' });
  const head = await git('rev-parse', '--short', 'HEAD');
  if (head.code !== 0) return 'no checkout';
  // The page of results is ours: whoever runs two campaigns has changed it by then.
  const elsewhere = ['--', '.', ':!docs/soak.md'];
  const changes = await git('status', '--porcelain', '--untracked-files=no', ...elsewhere);
  return changes.output === '' ? head.output.trim() : `${head.output.trim()} with changes`;
}

process.exitCode = await main(process.argv.slice(2));
