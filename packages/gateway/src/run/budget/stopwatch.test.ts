import type { Clock } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { Lanes } from '../parallel/lanes.ts';
import { HandClock } from './hand-clock.fixture.ts';
import { Stopwatch } from './stopwatch.ts';

/** As timers are: they may come a moment early. */
class EarlyClock extends HandClock {
  override async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await super.sleep(ms - 1, signal);
  }
}

function watched(spentMs = 0, clock = new HandClock()) {
  let rung = 0;
  let rested = 0;
  const watch = new Stopwatch({
    clock,
    limitMs: 1_000,
    spentMs,
    onOver: () => {
      rung += 1;
    },
    onRest: () => {
      rested += 1;
    },
  });
  watch.start();
  return { clock, watch, rung: () => rung, rested: () => rested };
}

describe('how long a run works', () => {
  it('goes on when it is given more, also while it stands', async () => {
    const { clock, rung, watch } = watched();
    await clock.advance(1_000);
    expect(rung()).toBe(1);
    watch.until(1_500);
    await clock.advance(499);
    expect(rung()).toBe(1);
    watch[Symbol.dispose]();
    watch.until(2_000);
    watch.start();
    await clock.advance(500);
    expect(rung()).toBe(1);
    await clock.advance(1);
    expect(rung()).toBe(2);
  });

  it('is over at its limit, with what it had used before', async () => {
    const { clock, rung, watch } = watched(400);
    await clock.advance(599);
    expect(rung()).toBe(0);
    await clock.advance(1);
    expect(rung()).toBe(1);
    expect(watch.wallMs).toBe(1_000);
  });

  it('rings also when so little is left that a timer could come before the clock has moved', async () => {
    const { clock, rung } = watched(999, new EarlyClock());
    await clock.advance(0);
    expect(rung()).toBe(0);
    await clock.advance(5);
    expect(rung()).toBe(1);
  });

  it('tells when nothing is under way but waiting, each time that it is so', async () => {
    const { watch, rested } = watched();
    const [first, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waiting = watch.call(() => watch.wait(() => first.promise));
    expect(rested()).toBe(1);
    const working = watch.call(() => other.promise);
    expect(watch.isResting).toBe(false);
    other.resolve();
    await working;
    expect([rested(), watch.isResting]).toEqual([2, true]);
    first.resolve();
    await waiting;
    expect([rested(), watch.isResting]).toEqual([2, false]);
  });

  it('stands still while its only call waits for a person', async () => {
    const { clock, watch, rung } = watched();
    const answer = Promise.withResolvers<void>();
    await clock.advance(100);
    const call = watch.call(() => watch.wait(() => answer.promise));
    await clock.advance(3_600_000);
    answer.resolve();
    await call;
    await clock.advance(100);
    expect([watch.wallMs, rung()]).toEqual([200, 0]);
  });

  it('goes on while another call runs beside the one that waits', async () => {
    const { clock, watch } = watched();
    const answer = Promise.withResolvers<void>();
    const other = Promise.withResolvers<void>();
    const waiting = watch.call(() => watch.wait(() => answer.promise));
    const running = watch.call(() => other.promise);
    await clock.advance(300);
    other.resolve();
    await running;
    await clock.advance(5_000);
    answer.resolve();
    await waiting;
    expect(watch.wallMs).toBe(300);
  });

  it('stands still also while a call waits for the one that waits for a person', async () => {
    const { clock, watch } = watched();
    const answer = Promise.withResolvers<void>();
    const never = new AbortController().signal;
    const lanes = new Lanes([{ kind: 'unknown' }, { kind: 'unknown' }], (task) => watch.wait(task));
    const calls = [0, 1].map(
      async (place) =>
        await watch.call(async () => {
          using lane = lanes.laneOf(place);
          if (place === 0) await watch.wait(() => answer.promise);
          await lane.enter(never);
        }),
    );
    await clock.advance(3_600_000);
    answer.resolve();
    await Promise.all(calls);
    await clock.advance(100);
    expect(watch.wallMs).toBe(100);
  });

  it('never ends by a clock that stands still', async () => {
    let asleep = 0;
    const clock: Clock = {
      now: () => new Date(0),
      sleep: async () => {
        asleep += 1;
      },
    };
    const onOver = () => expect.fail('it was not over');
    new Stopwatch({ clock, limitMs: 1_000, spentMs: 0, onOver }).start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(asleep).toBe(1);
  });
});
