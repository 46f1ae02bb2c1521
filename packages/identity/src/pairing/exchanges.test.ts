import { expect, it } from 'vitest';
import { Exchanges } from './exchanges.ts';
import { codeOf, steppedClock } from './pairing.fixture.ts';

const BOUNDS = { count: 2, lifetimeMs: 1_000 };

it('an exchange can be taken once', () => {
  const exchanges = new Exchanges<string>(steppedClock(), BOUNDS);
  exchanges.reserve('a');
  exchanges.keep('a', 'kept');
  expect([exchanges.take('a'), exchanges.take('a')]).toStrictEqual(['kept', undefined]);
});

it('an exchange that is not ready yet is lost to who asks for it', () => {
  const exchanges = new Exchanges<string>(steppedClock(), BOUNDS);
  exchanges.reserve('a');
  expect(exchanges.take('a')).toBeUndefined();
  exchanges.keep('a', 'too late');
  expect(exchanges.take('a')).toBeUndefined();
});

it('exchanges are bounded in number and in time', () => {
  const clock = steppedClock();
  const exchanges = new Exchanges<string>(clock, BOUNDS);
  exchanges.reserve('a');
  exchanges.reserve('b');
  exchanges.keep('a', 'kept');
  expect(codeOf(() => exchanges.reserve('c'))).toBe('OVERLOADED');
  clock.step(1_000);
  expect(() => exchanges.reserve('c')).not.toThrow();
  expect(exchanges.take('a')).toBeUndefined();
});
