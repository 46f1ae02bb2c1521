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

/** How long something stayed. */
async function killIn(scene: Scene, victim: Victim, afterMs: number): Promise<number> {
  await pause(afterMs);
  while (!scene.kill(victim)) await pause(1);
  return await scene.msUntilGone(victim, PATIENCE_MS);
}

/** How what was cut short ends: while it ran, or before it did. */
const CUT = ['SANDBOX_FAILED', 'SANDBOX_UNAVAILABLE'];

/** The next commands work, and those that were cut short failed, each once: two run at a time. */
async function goesOn(scene: Scene): Promise<void> {
  const before = scene.endings.length;
  const later = (endings: readonly string[]) => endings.slice(before);
  await scene.until((endings) => later(endings).filter((how) => how === 'exited').length >= 2);
  const cut = later(scene.endings).filter((how) => how !== 'exited');
  expect(cut.length).toBeLessThanOrEqual(2);
  expect(cut.every((how) => CUT.includes(how))).toBe(true);
}

const works = (endings: readonly string[]) => endings.includes('exited');

describe.each(['whoever runs this', 'a user without rights'])('as %s', (who) => {
  beforeEach(async () => {
    if (who === 'a user without rights') await asNobody();
  });

  it('nothing of a sandbox outlives the daemon, whenever that is killed', async () => {
    for (let turn = 0; turn < MOMENTS; turn += 1) {
      await using scene = new Scene(ground);
      // Each other time while everything is being started.
      if (turn % 2 === 0) await scene.until(works);
      const stayedMs = await killIn(scene, 'daemon', turn % 2 === 0 ? turn * 17 : turn * 150);
      expect(stayedMs).toBeLessThan(PATIENCE_MS);
    }
    // What they left on the disk went with the start of the next.
    const seats = (await readdir(ground.folder)).filter((name) => name.startsWith('seat-'));
    expect(seats.length).toBeLessThanOrEqual(1);
  });

  it('nothing of a sandbox outlives sandboxd, whenever that is killed, and the next works', async () => {
    await using scene = new Scene(ground);
    await scene.until(works);
    for (let turn = 0; turn < MOMENTS; turn += 1) {
      expect(await killIn(scene, 'sandboxd', turn * 50)).toBeLessThan(PATIENCE_MS);
      // Each other time it is killed again while it starts.
      if (turn % 2 === 0) await goesOn(scene);
    }
  });

  it('nothing of a sandbox outlives bwrap, whenever that is killed, and the next works', async () => {
    await using scene = new Scene(ground);
    await scene.until(works);
    for (let turn = 0; turn < MOMENTS; turn += 1) {
      expect(await killIn(scene, 'bwrap', turn * 17)).toBeLessThan(PATIENCE_MS);
      await goesOn(scene);
    }
  });

  it('nothing stays of a bwrap that is killed as soon as it has made its other half', async () => {
    await using scene = new Scene(ground);
    await scene.until(works);
    for (let turn = 0; turn < 2 * MOMENTS; turn += 1) {
      expect(scene.killNewborn(PATIENCE_MS)).toBe(true);
      expect(await scene.msUntilGone('bwrap', PATIENCE_MS)).toBeLessThan(PATIENCE_MS);
      await goesOn(scene);
    }
  });
});
