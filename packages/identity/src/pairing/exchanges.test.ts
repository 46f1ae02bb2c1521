import { expect, it } from 'vitest';
import { Exchanges } from './exchanges.ts';
import { steppedClock } from './pairing.fixture.ts';

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

it('an exchange is bounded in time', () => {
  const clock = steppedClock();
  const exchanges = new Exchanges<string>(clock, BOUNDS);
  exchanges.reserve('a');
  exchanges.keep('a', 'kept');
  clock.step(1_000);
  expect(exchanges.take('a')).toBeUndefined();
});

it('a full house lets in the next, and the oldest makes room', () => {
  const exchanges = new Exchanges<string>(steppedClock(), BOUNDS);
  for (const id of ['a', 'b', 'c']) {
    exchanges.reserve(id);
    exchanges.keep(id, id);
  }
  expect(['a', 'b', 'c'].map((id) => exchanges.take(id))).toStrictEqual([undefined, 'b', 'c']);
});
