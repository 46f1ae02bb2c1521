import { chmod, chown, mkdir, mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Random, randomFrom } from '@palyra/testkit';
import { type Ground, Scene, VICTIMS, type Victim } from '../../apps/sandboxd/testing/kill.ts';
import { adoptOrphans, buryOrphans } from '../../apps/sandboxd/testing/processes.ts';
import { print } from '../print.ts';
import { setup as buildPrograms } from '../setup/built-programs.ts';
import { readCampaignArgs } from './campaign-args.ts';

/** What is promised. */
const MOST_MS = 100;
const PATIENCE_MS = 10_000;
/** Longer than one command and the making of the next sandbox take. */
const SPREAD_MS = 150;
/** Longer than a daemon and its process for sandboxes take until both work. */
const START_SPREAD_MS = 1500;
const NOBODY = 65_534;

const works = (endings: readonly string[]) => endings.includes('exited');

const { seed, share } = readCampaignArgs();
/** Of each victim, as each account. */
const KILLS = Math.ceil(100 * share);
const random: Random = randomFrom(seed);
await buildPrograms();
adoptOrphans();

const told: string[] = [];
const overall = { late: 0 };
for (const account of accounts()) {
  // Not below a temporary folder that only we can pass.
  await using folder = await mkdtempDisposable('/tmp/palyra-kill-');
  const ground = await groundIn(folder.path, account);
  for (const victim of VICTIMS) {
    const times = (await killMany(victim, ground)).toSorted((one, other) => one - other);
    const words = [0.5, 0.95, 1].map((part) => at(times, part).toFixed(0)).join(' / ');
    const over = times.filter((ms) => ms > MOST_MS).length;
    overall.late += over;
    told.push(
      `${victim}${account === undefined ? '' : ` of uid ${NOBODY}`} ${words} ms, ${over} late`,
    );
    print(told.at(-1) ?? '');
  }
}
print(
  `${KILLS} kills each, half of them at the start, nothing left after (median / p95 / worst): ${told.join('; ')}`,
);
process.exitCode = overall.late === 0 ? 0 : 1;

/** Whoever we are, and as root somebody without rights too. */
function accounts(): readonly Ground['account'][] {
  return process.geteuid?.() === 0 ? [undefined, { uid: NOBODY, gid: NOBODY }] : [undefined];
}

async function groundIn(path: string, account: Ground['account']): Promise<Ground> {
  await chmod(path, 0o755);
  const ground = { folder: join(path, 'state'), workspace: join(path, 'workspace') };
  for (const each of Object.values(ground)) {
    await mkdir(each, { mode: 0o711 });
    if (account !== undefined) await chown(each, account.uid, account.gid);
  }
  return account === undefined ? ground : { ...ground, account };
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(sorted.length * part) - 1] ?? 0;
}

async function killMany(victim: Victim, ground: Ground): Promise<readonly number[]> {
  const times: number[] = [];
  let scene = new Scene(ground);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await killOnce(scene, victim, kill % 2 === 0 ? 'at work' : 'at the start');
    times.push(await scene.msUntilGone(victim, PATIENCE_MS));
    buryOrphans(scene.pid);
    if (victim !== 'daemon') continue;
    await scene[Symbol.asyncDispose]();
    scene = new Scene(ground);
  }
  await scene[Symbol.asyncDispose]();
  return times;
}

/** Contract: returns when the victim is killed. */
async function killOnce(
  scene: Scene,
  victim: Victim,
  when: 'at work' | 'at the start',
): Promise<void> {
  const before = scene.endings.length;
  if (when === 'at work' || victim === 'bwrap') {
    await scene.until((endings) => works(endings.slice(before)));
  }
  if (when === 'at the start' && victim === 'bwrap') {
    while (!scene.killNewborn(PATIENCE_MS)) await pause(1);
    return;
  }
  await pause(random() * (when === 'at work' ? SPREAD_MS : START_SPREAD_MS));
  while (!scene.kill(victim)) await pause(1);
}
