import { describe, expect, it } from 'vitest';
import { type Breaker, type Passage, createBreaker } from './breaker.ts';

const LIMITS = { failures: 3, pauseMs: 100, maxPauseMs: 300, maxRestMs: 1000 };

function test() {
  let nowMs = 0;
  const clock = { now: () => new Date(nowMs), sleep: () => Promise.resolve() };
  const breaker = createBreaker(clock, LIMITS);
  return { breaker, passTime: (ms: number) => (nowMs += ms) };
}

function pass(breaker: Breaker): Passage {
  const entrance = breaker.enter({});
  if (entrance.kind === 'open') return entrance.passage;
  throw new Error('it is shut');
}

function failTimes(breaker: Breaker, times: number): void {
  for (let time = 0; time < times; time += 1) pass(breaker).fail();
}

describe('a breaker', () => {
  it('lets everything through while all is well', () => {
    const { breaker } = test();
    for (let time = 0; time < 10; time += 1) pass(breaker).succeed();
    expect(breaker.enter({}).kind).toBe('open');
  });

  it('opens after failures in a row and tells for how long', () => {
    const { breaker, passTime } = test();
    failTimes(breaker, 3);
    passTime(40);
    expect(breaker.enter({})).toEqual({ kind: 'shut', waitMs: 60 });
  });

  it('counts only those in a row', () => {
    const { breaker } = test();
    failTimes(breaker, 2);
    pass(breaker).succeed();
    failTimes(breaker, 2);
    expect(breaker.enter({}).kind).toBe('open');
  });

  it('counts a request that is tried again and again once', () => {
    const { breaker } = test();
    const request = {};
    for (let time = 0; time < 9; time += 1) {
      const entrance = breaker.enter(request);
      if (entrance.kind === 'open') entrance.passage.fail();
    }
    failTimes(breaker, 1);
    expect(breaker.standing()).toBe('closed');
    failTimes(breaker, 1);
    expect(breaker.standing()).toBe('open');
  });

  it('lets one probe through when the pause is over, and no second beside it', () => {
    const { breaker, passTime } = test();
    failTimes(breaker, 3);
    passTime(100);
    pass(breaker);
    expect(breaker.enter({})).toEqual({ kind: 'probed' });
  });

  it('closes after a probe that succeeds', () => {
    const { breaker, passTime } = test();
    failTimes(breaker, 3);
    passTime(100);
    pass(breaker).succeed();
    failTimes(breaker, 2);
    expect(breaker.enter({}).kind).toBe('open');
  });

  it('pauses twice as long after each probe that fails, up to its limit', () => {
    const { breaker, passTime } = test();
    failTimes(breaker, 3);
    const waits = [100, 200, 300].map((pauseMs) => {
      passTime(pauseMs);
      pass(breaker).fail();
      const entrance = breaker.enter({});
      return entrance.kind === 'shut' ? entrance.waitMs : 0;
    });
    expect(waits).toEqual([200, 300, 300]);
  });

  it('lets the next probe through at once when one was withdrawn', () => {
    const { breaker, passTime } = test();
    failTimes(breaker, 3);
    passTime(100);
    pass(breaker).withdraw();
    pass(breaker).succeed();
    expect(breaker.enter({}).kind).toBe('open');
  });

  it('does not listen to what set out before it opened', () => {
    const { breaker } = test();
    const late = [pass(breaker), pass(breaker)];
    failTimes(breaker, 3);
    late[0]?.succeed();
    expect(breaker.enter({}).kind).toBe('shut');
    late[1]?.fail();
    expect(breaker.enter({})).toEqual({ kind: 'shut', waitMs: 100 });
  });

  it('rests as long as the provider wants it, tells until when, and lets everybody in then', () => {
    const { breaker, passTime } = test();
    pass(breaker).succeed();
    breaker.rest(500);
    passTime(400);
    expect(breaker.enter({})).toEqual({ kind: 'resting', waitMs: 100 });
    expect(breaker.standing()).toBe('open');
    expect(breaker.opensAt()).toEqual(new Date(500));
    passTime(100);
    expect([breaker.enter({}).kind, breaker.enter({}).kind]).toEqual(['open', 'open']);
    expect(breaker.standing()).toBe('closed');
    expect(breaker.opensAt()).toBeUndefined();
  });

  it('rests no longer than its limit, and no shorter for a later word', () => {
    const { breaker } = test();
    breaker.rest(5000);
    breaker.rest(10);
    expect(breaker.enter({})).toEqual({ kind: 'resting', waitMs: 1000 });
  });

  it('rests also after failures, and counts those on', () => {
    const { breaker, passTime } = test();
    failTimes(breaker, 2);
    breaker.rest(50);
    passTime(50);
    failTimes(breaker, 1);
    breaker.rest(150);
    expect(breaker.enter({})).toEqual({ kind: 'shut', waitMs: 150 });
  });

  it('rests when its probe hears so, and the end of the probe does not change that', () => {
    const { breaker, passTime } = test();
    failTimes(breaker, 3);
    passTime(100);
    const probe = pass(breaker);
    breaker.rest(500);
    probe.succeed();
    expect(breaker.enter({})).toEqual({ kind: 'resting', waitMs: 500 });
  });

  it('counts a passage once, however often it ends', () => {
    const { breaker } = test();
    const passage = pass(breaker);
    for (let time = 0; time < 5; time += 1) passage.fail();
    expect(breaker.enter({}).kind).toBe('open');
  });
});
