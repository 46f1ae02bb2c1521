import { describe, expect, it } from 'vitest';
import { AttemptLimits, householdOf, plainAddress } from './attempt-limits.ts';
import { codeOf, steppedClock } from './pairing.fixture.ts';

const BOUNDS = { perAddress: 2, inAll: 5 };

describe('attempts', () => {
  it('are bounded by address', () => {
    const limits = new AttemptLimits(steppedClock(), BOUNDS);
    limits.take('192.0.2.1');
    limits.take('192.0.2.1');
    expect(codeOf(() => limits.take('192.0.2.1'))).toBe('RATE_LIMITED');
    expect(() => limits.take('192.0.2.2')).not.toThrow();
  });

  it('are bounded in all, and one address cannot use up what is there for all', () => {
    const limits = new AttemptLimits(steppedClock(), BOUNDS);
    limits.take('192.0.2.1');
    limits.take('192.0.2.1');
    for (let more = 0; more < 100; more += 1) {
      expect(codeOf(() => limits.take('192.0.2.1'))).toBe('RATE_LIMITED');
    }
    for (const address of ['192.0.2.2', '192.0.2.3', '192.0.2.4']) limits.take(address);
    expect(codeOf(() => limits.take('192.0.2.5'))).toBe('RATE_LIMITED');
  });

  it('come back one by one as each is a minute old', () => {
    const clock = steppedClock();
    const limits = new AttemptLimits(clock, BOUNDS);
    limits.take('192.0.2.1');
    clock.step(30_000);
    limits.take('192.0.2.1');
    clock.step(30_000);
    limits.take('192.0.2.1');
    expect(codeOf(() => limits.take('192.0.2.1'))).toBe('RATE_LIMITED');
  });

  it('do not lock anybody out when the clock is put back', () => {
    const clock = steppedClock();
    const limits = new AttemptLimits(clock, BOUNDS);
    limits.take('192.0.2.1');
    limits.take('192.0.2.1');
    clock.step(-86_400_000);
    expect(() => limits.take('192.0.2.1')).not.toThrow();
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:1:aaaa::1', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:bbbb:1:2:3', '2001:db8:0:1::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['', 'unknown'],
    ['somewhere', 'unknown'],
  ])('from %s count for %s', (address, household) => {
    expect(householdOf(address)).toBe(household);
  });

  it('are told by the plain address', () => {
    expect(plainAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(plainAddress('FE80::1%eth0')).toBe('fe80::1');
  });
});
