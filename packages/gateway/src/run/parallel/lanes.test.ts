import { describe, expect, it } from 'vitest';
import type { Effects } from './effects.ts';
import { Lanes, MAX_RUNNING } from './lanes.ts';

const never = new AbortController().signal;
const nothing: Effects = { kind: 'known', reads: [], writes: [] };
const anything: Effects = { kind: 'unknown' };
const lanesOf = (...effects: readonly Effects[]) => new Lanes(effects, (task) => task());

describe('the lanes of a turn', () => {
  it('let calls that cannot meet in at once, up to a bound', async () => {
    const lanes = lanesOf(...Array.from({ length: MAX_RUNNING + 1 }, () => nothing));
    const all = Array.from({ length: MAX_RUNNING + 1 }, (_, place) => lanes.laneOf(place));
    const first = await Promise.all(all.slice(0, MAX_RUNNING).map((lane) => lane.enter(never)));
    expect(first).toEqual(Array.from({ length: MAX_RUNNING }, () => 'at-once'));
    const last = all.at(-1)?.enter(never);
    all[0]?.[Symbol.dispose]();
    expect(await last).toBe('waited');
  });

  it('let calls that can meet in one after the other, in the order of the calls', async () => {
    const lanes = lanesOf(anything, anything, anything);
    const order: number[] = [];
    const entering = [2, 1].map(async (place) => {
      using lane = lanes.laneOf(place);
      await lane.enter(never);
      order.push(place);
    });
    using first = lanes.laneOf(0);
    await first.enter(never);
    order.push(0);
    first[Symbol.dispose]();
    await Promise.all(entering);
    expect(order).toEqual([0, 1, 2]);
  });

  it('are let go of by a call that never entered', async () => {
    const lanes = lanesOf(anything, anything);
    const second = lanes.laneOf(1).enter(never);
    lanes.laneOf(0)[Symbol.dispose]();
    expect(await second).toBe('waited');
  });

  it('let go of whoever waits when the run is stopped', async () => {
    const lanes = lanesOf(anything, anything);
    const stop = new AbortController();
    const second = lanes.laneOf(1).enter(stop.signal);
    stop.abort(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');
  });
});
