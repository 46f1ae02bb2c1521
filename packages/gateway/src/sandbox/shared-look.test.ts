import { create } from '@bufbuild/protobuf';
import { type Clock, PalyraError } from '@palyra/kernel';
import { SandboxSchema } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { SharedLook } from './shared-look.ts';

const gone = new PalyraError('CANCELLED', 'gone');

/** A desk whose every look is another one, and a clock that goes on when the test says. */
function stage(pools: readonly number[] = []) {
  const time = { ms: 0, looks: 0 };
  const clock: Clock = {
    now: () => new Date(time.ms),
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      time.ms += ms;
    },
  };
  const show = async () => {
    time.looks += 1;
    return create(SandboxSchema, { pool: { warm: pools[time.looks - 1] ?? time.looks } });
  };
  return { time, clock, show, look: new SharedLook({ show }, clock) };
}

it('whoever watches is told how they are, and again when that is no longer so', async () => {
  const { look } = stage([1, 1, 2, 2, 3]);
  const leaving = new AbortController();
  const told: number[] = [];
  for await (const { pool } of look.watch(leaving.signal)) {
    told.push(pool?.warm ?? 0);
    if (told.length === 3) break;
  }
  expect(told).toEqual([1, 2, 3]);
  leaving.abort(gone);
  await expect(look.watch(leaving.signal).next()).rejects.toMatchObject({ code: 'CANCELLED' });
});

it('one look is for all who watch, also for those who come while it is under way', async () => {
  const { time, look } = stage();
  const { signal } = new AbortController();
  const watchers = Array.from({ length: 100 }, () => look.watch(signal));
  const told = await Promise.all(watchers.map(async (one) => (await one.next()).value));
  expect(new Set(told).size).toBe(1);
  expect(time.looks).toBe(1);
  time.ms += 499;
  await look.watch(signal).next();
  expect(time.looks).toBe(1);
  time.ms += 1;
  await look.watch(signal).next();
  expect(time.looks).toBe(2);
});

it('a clock that was set back keeps nobody from looking', async () => {
  const { time, look } = stage();
  const { signal } = new AbortController();
  await look.watch(signal).next();
  time.ms -= 3_600_000;
  await look.watch(signal).next();
  expect(time.looks).toBe(2);
});

it('a look that fails is told to who watches, and the next one is another', async () => {
  const { time, clock, show } = stage();
  const { signal } = new AbortController();
  const failing = async () => {
    if (time.looks > 0) return await show();
    time.looks += 1;
    throw new PalyraError('SANDBOX_UNAVAILABLE', 'nobody is there');
  };
  const look = new SharedLook({ show: failing }, clock);
  await expect(look.watch(signal).next()).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
  time.ms += 500;
  await expect(look.watch(signal).next()).resolves.toMatchObject({ done: false });
});

it('256 watch at once and no more, and who goes in whatever way makes room', async () => {
  const { look } = stage();
  const { signal } = new AbortController();
  const leaving = new AbortController();
  const first = look.watch(signal);
  const second = look.watch(leaving.signal);
  const others = Array.from({ length: 254 }, () => look.watch(signal));
  await Promise.all([first, second, ...others].map((one) => one.next()));
  const full = { code: 'OVERLOADED', message: '256 watch the sandboxes already' };
  await expect(look.watch(signal).next()).rejects.toMatchObject(full);
  await first.return(undefined);
  await look.watch(signal).next();
  await expect(look.watch(signal).next()).rejects.toMatchObject(full);
  leaving.abort(gone);
  await expect(look.watch(signal).next()).resolves.toMatchObject({ done: false });
});
