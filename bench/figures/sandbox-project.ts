import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTierC } from '@palyra/sandbox';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { DURATION, interleave, subject } from '../harness.ts';
import { type Site, sandboxSite } from '../rig/sandbox-site.ts';
import { bareSpawn, coldCage, warmCage } from '../rig/sandbox-ways.ts';

const BARE = 'bare spawn';
const QUIET = 'tier C warm, nothing is changed';
const CHANGED = 'tier C warm, a file is made';
const FIRST = 'tier C, the first command of all';
const REST_MS = 25;
/** Folders at the top, in each of those, and files in every one of these: 3,000 names. */
const [TOP, DEEP, FILES] = [10, 25, 12];

export const sandboxProject: Figure = {
  says: 'A command in a project of 3,000 files in 250 folders, whose names are looked through for what must be guarded: by the first command that comes, again where something has changed, and not at all where nothing has.',
  mounts: 'own',
  targets: [{ kind: 'ratio', subject: CHANGED, baseline: QUIET, limit: { atMost: 2 } }],
  measure: async (scale) => {
    await using site = await sandboxSite();
    await fillProject(site);
    await using tier = createTierC({ folder: join(site.folder, 'cages'), pool: { perKey: 1 } });
    const cold = coldCage(tier, site);
    const warm = warmCage(tier, site);
    const rested = async () => {
      await tier.settled();
      await sleep(REST_MS);
    };
    const drained = () => tier.drain().then(rested);
    const run = await interleave({
      title: '`true`, or `touch`',
      quantity: DURATION,
      subjects: [
        subject(BARE, () => timeOf(rested, () => bareSpawn(command('true')))),
        subject(FIRST, () => timeOf(drained, () => cold(command('true')))),
        subject(QUIET, () => timeOf(rested, () => warm(command('true')))),
        subject(CHANGED, () => timeOf(rested, () => warm(command('touch', newName())))),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 3, rounds: 40 }),
    });
    return { runs: [run], notes: [] };
  },
};

async function fillProject({ workspace }: Site): Promise<void> {
  for (let place = 0; place < TOP * DEEP; place += 1) {
    const folder = join(workspace, `part-${place % TOP}`, `folder-${place}`);
    await mkdir(folder, { recursive: true });
    for (let file = 0; file < FILES; file += 1) await writeFile(join(folder, `${file}.ts`), '');
  }
}

function command(program: string, ...words: readonly string[]) {
  return { program, words, prints: '' };
}

let made = 0;
function newName(): string {
  made += 1;
  return `part-0/made-${made}`;
}

async function timeOf(
  settle: () => Promise<void>,
  run: () => Promise<string | undefined>,
): Promise<number> {
  await settle();
  const startedAt = performance.now();
  const output = await run();
  const elapsedMs = performance.now() - startedAt;
  if (output === '') return elapsedMs;
  throw new Error('the cage was not as it was meant to be');
}
