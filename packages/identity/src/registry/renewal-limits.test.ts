import { describe, expect, it } from 'vitest';
import { refusal } from './registry.fixture.ts';
import { RenewalLimits } from './renewal-limits.ts';

function openLimits() {
  const time = { ms: 0 };
  const clock = { now: () => new Date(time.ms), sleep: () => Promise.resolve() };
  return { time, limits: new RenewalLimits(clock) };
}

const LIMITED = expect.objectContaining(refusal('RATE_LIMITED'));

describe('renewals', () => {
  it('are eight an hour for each device, and come back one by one', () => {
    const { time, limits } = openLimits();
    for (let minute = 0; minute < 8; minute += 1) {
      time.ms = minute * 60_000;
      limits.take('a');
    }
    expect(() => limits.take('a')).toThrow(LIMITED);
    limits.take('b');
    time.ms = 60 * 60_000;
    limits.take('a');
    expect(() => limits.take('a')).toThrow(LIMITED);
  });

  it('lock nobody out when the clock is put back', () => {
    const { time, limits } = openLimits();
    time.ms = 86_400_000;
    for (let count = 0; count < 8; count += 1) limits.take('a');
    time.ms = 0;
    expect(() => limits.take('a')).not.toThrow();
  });

  it('are remembered for a bounded number of devices, the latest of them', () => {
    const { limits } = openLimits();
    for (const device of ['first', 'second']) {
      for (let count = 0; count < 8; count += 1) limits.take(device);
    }
    for (let count = 0; count < 1_023; count += 1) limits.take(`${count}`);
    expect(() => limits.take('second')).toThrow(LIMITED);
    expect(() => limits.take('first')).not.toThrow();
  });
});
