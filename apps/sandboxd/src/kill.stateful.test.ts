import { chmod, chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Ground, Scene, type Victim } from '../testing/kill.ts';
import { adoptOrphans } from '../testing/processes.ts';

const NOBODY = 65_534;
/** For each of two accounts. */
const MOMENTS = 5;
/** The machine may be busy; what is promised is 100 ms, and `npm run soak` measures that. */
const PATIENCE_MS = 10_000;

let root = '';
let ground: Ground;

beforeAll(adoptOrphans);
beforeEach(async () => {
  // Not below a temporary folder that only we can pass.
  root = await mkdtemp('/tmp/palyra-kill-');
  ground = { folder: join(root, 'state'), workspace: join(root, 'workspace') };
  await chmod(root, 0o755);
  for (const folder of [ground.folder, ground.workspace]) await mkdir(folder, { mode: 0o711 });
});
// The last scene's processes may be about to end.
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 20 }));

async function asNobody(): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const account = { uid: NOBODY, gid: NOBODY };
  for (const folder of [ground.folder, ground.workspace]) await chown(folder, NOBODY, NOBODY);
  ground = { ...ground, account };
}

async function killIn(scene: Scene, victim: Victim, turn: number): Promise<void> {
  await pause(turn * 17);
  while (!scene.kill(victim)) await pause(1);
  expect(await scene.msUntilGone(victim, PATIENCE_MS)).toBeLessThan(PATIENCE_MS);
}

/** The next commands work, and those that were cut short failed, each once: two run at a time. */
async function goesOn(scene: Scene): Promise<void> {
  const before = scene.endings.length;
  const later = (endings: readonly string[]) => endings.slice(before);
  await scene.until((endings) => later(endings).filter((how) => how === 'exited').length >= 2);
  const cut = later(scene.endings).filter((how) => how !== 'exited');
  expect(cut.length).toBeLessThanOrEqual(2);
  expect(cut.every((how) => how === 'SANDBOX_FAILED')).toBe(true);
}

/** Neither an end of its own nor the one that a kill makes. */
const isUnknown = (how: string) => how !== 'exited' && how !== 'SANDBOX_FAILED';
const works = (endings: readonly string[]) => endings.includes('exited');

describe.each(['whoever runs this', 'a user without rights'])('as %s', (who) => {
  beforeEach(async () => {
    if (who === 'a user without rights') await asNobody();
  });

  it('nothing of a sandbox outlives the daemon, whenever that is killed', async () => {
    for (let turn = 0; turn < MOMENTS; turn += 1) {
      await using scene = new Scene(ground);
      await scene.until(works);
      await killIn(scene, 'daemon', turn);
      expect(scene.leftovers('daemon')).toEqual([]);
    }
    // What they left on the disk went with the start of the next.
    const seats = (await readdir(ground.folder)).filter((name) => name.startsWith('seat-'));
    expect(seats.length).toBeLessThanOrEqual(1);
  });

  it.each(['sandboxd', 'bwrap'] as const)(
    'nothing of a sandbox outlives %s, whenever that is killed, and the next works',
    async (victim) => {
      await using scene = new Scene(ground);
      await scene.until(works);
      for (let turn = 0; turn < MOMENTS; turn += 1) {
        await killIn(scene, victim, turn);
        await goesOn(scene);
      }
      expect(scene.endings.filter(isUnknown)).toEqual([]);
    },
  );
});
