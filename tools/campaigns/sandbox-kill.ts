import { mkdirSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Random, randomFrom } from '@palyra/testkit';
import { Scene, VICTIMS, type Victim } from '../../apps/sandboxd/testing/kill.ts';
import { adoptOrphans } from '../../apps/sandboxd/testing/processes.ts';
import { print } from '../print.ts';

const KILLS = 100;
/** What is promised. */
const MOST_MS = 100;
const PATIENCE_MS = 10_000;
/** Longer than one command and the making of the next sandbox take. */
const SPREAD_MS = 150;

const works = (endings: readonly string[]) => endings.includes('exited');

const { values } = parseArgs({ options: { seed: { type: 'string' } } });
const random: Random = randomFrom(Number(values.seed));
adoptOrphans();
await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-kill-'));
const ground = { folder: join(folder.path, 'state'), workspace: join(folder.path, 'workspace') };
for (const each of Object.values(ground)) mkdirSync(each, { mode: 0o711 });

const told: string[] = [];
const late: number[] = [];
for (const victim of VICTIMS) {
  const times = (await killMany(victim)).toSorted((one, other) => one - other);
  const over = times.filter((ms) => ms > MOST_MS);
  late.push(...over);
  const [median = 0, worst = 0] = [times[Math.floor(times.length / 2)], times.at(-1)];
  told.push(`${victim} ${median.toFixed(0)} / ${worst.toFixed(0)} ms, ${over.length} late`);
  print(`${victim}: ${KILLS} kills, ${told.at(-1) ?? ''}`);
}
print(`${KILLS} kills each, nothing left after (median / worst): ${told.join('; ')}`);
process.exitCode = late.length === 0 ? 0 : 1;

async function killMany(victim: Victim): Promise<readonly number[]> {
  const times: number[] = [];
  let scene = new Scene(ground);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = scene.endings.length;
    await scene.until((endings) => works(endings.slice(before)));
    await pause(random() * SPREAD_MS);
    while (!scene.kill(victim)) await pause(1);
    times.push(await scene.msUntilGone(victim, PATIENCE_MS));
    if (victim !== 'daemon') continue;
    await scene[Symbol.asyncDispose]();
    scene = new Scene(ground);
  }
  await scene[Symbol.asyncDispose]();
  return times;
}
