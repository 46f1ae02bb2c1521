import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Cage, KINDS, type Run } from '../tier-c-bubblewrap/cage.fixture.ts';

const TOTAL = 16;
const sessions = (count: number): readonly Run[] =>
  Array.from({ length: count }, (_, place) => ({ session: `session-${place}` }));
const ready = (cage: Cage) => cage.bwraps().length;

describe.each(KINDS)('sandboxes of %s for calls that are expected', (kind) => {
  let cage: Cage;
  beforeAll(async () => {
    cage = await Cage.start({ kind, warmth: 'pool' });
  });
  beforeEach(() => cage.pool('drain'));
  afterAll(() => cage[Symbol.asyncDispose]());

  it('are given to those that come, which are then expected again', async () => {
    await cage.expect();
    expect(ready(cage)).toBe(1);
    expect((await cage.sh('true')).posture.isWarm).toBe(true);
    await cage.pool('settle');
    expect((await cage.sh('true')).posture.isWarm).toBe(true);
  });

  it('are two for one session at most, the last ones', async () => {
    const runs = [1, 2, 3, 4].map((size) => ({ limits: { scratchBytes: size * 1024 * 1024 } }));
    for (const run of runs) await cage.expect(run);
    await expect.poll(() => ready(cage)).toBe(2);
    expect((await cage.sh('true', runs[0])).posture.isWarm).toBe(false);
    expect((await cage.sh('true', runs[3])).posture.isWarm).toBe(true);
  });

  it('are eight in all', async () => {
    for (const run of sessions(10)) await cage.expect(run);
    await expect.poll(() => ready(cage)).toBe(8);
  });

  it('find room beside those that wait behind commands, and take the place of none', async () => {
    const runs = sessions(TOTAL / 2);
    for (const run of runs) await cage.sh('true', run);
    await cage.pool('settle');
    const kept = cage.bwraps();
    expect(kept).toHaveLength((TOTAL * 3) / 4);
    for (const run of runs) await cage.expect({ ...run, principal: 'somebody else' });
    await expect.poll(() => ready(cage)).toBe(TOTAL);
    expect(cage.bwraps()).toEqual(expect.arrayContaining([...kept]));
  });

  it('are gone after a drain that came while they were made', async () => {
    const made = cage.expect();
    await cage.pool('drain');
    await made;
    expect([ready(cage), readdirSync(cage.workspace)]).toEqual([0, []]);
  });
});

describe.each(KINDS)('a sandbox of %s that was expected', (kind) => {
  it('is not made again when nobody came', async () => {
    await using cage = await Cage.start({ kind, warmth: 'pool' });
    await cage.expect();
    expect(ready(cage)).toBe(1);
    expect(readdirSync(cage.workspace)).not.toEqual([]);
    await cage.pool('age');
    await expect.poll(() => ready(cage)).toBe(0);
    await expect.poll(() => readdirSync(cage.workspace)).toEqual([]);
    await cage.pool('settle');
    expect(ready(cage)).toBe(0);
  });

  it('leaves nothing when everything ends while it is made, and none is made afterwards', async () => {
    await using cage = await Cage.start({ kind, warmth: 'pool' });
    const made = cage.expect();
    await cage.pool('close');
    await made;
    expect([ready(cage), readdirSync(cage.workspace)]).toEqual([0, []]);
    await cage.expect();
    expect([ready(cage), readdirSync(cage.workspace)]).toEqual([0, []]);
  });
});
