import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LoopShare } from './loop-share.ts';

/** Longer than a slice. */
const WORK_MS = 6;

function work(): void {
  const end = performance.now() + WORK_MS;
  while (performance.now() < end);
}

/** How many had worked each time that somebody else had a turn. */
async function seenBetween(worked: readonly number[], most: number): Promise<readonly number[]> {
  const seen = new Set<number>();
  while (worked.length < most) {
    seen.add(worked.length);
    await nextTurn();
  }
  return [...seen];
}

describe('a share of the event loop', () => {
  it('lets who comes alone go on before anything else happens', async () => {
    const share = new LoopShare();
    const happened: string[] = [];
    setImmediate(() => happened.push('the next turn'));
    await share.turn();
    happened.push('went on');
    await nextTurn();
    expect(happened).toEqual(['went on', 'the next turn']);
  });

  it('lets a bunch go on in its order, and others between', async () => {
    const share = new LoopShare();
    const worked: number[] = [];
    const all = Array.from({ length: 6 }, async (_, place) => {
      await share.turn();
      // What one sets off belongs to its turn.
      await Promise.resolve();
      work();
      worked.push(place);
    });
    const seen = await seenBetween(worked, all.length);
    await Promise.all(all);
    expect(worked).toEqual([0, 1, 2, 3, 4, 5]);
    // The second belongs to the same turn as whoever looks first.
    expect(seen).toEqual([0, 2, 3, 4, 5]);
  });

  it('has room again when a bunch is over', async () => {
    const share = new LoopShare();
    await Promise.all([1, 2, 3].map(() => share.turn().then(work)));
    await nextTurn();
    await nextTurn();
    let isLater = false;
    setImmediate(() => (isLater = true));
    await share.turn();
    expect(isLater).toBe(false);
  });
});
