import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from './clock.ts';
import { createIds, fillFromPool, parseId } from './ids.ts';

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

describe('ids', () => {
  it('spell time and randomness as a ulid', () => {
    const ids = createIds(clockAt(1_469_918_176_385), (bytes) => bytes.fill(0));
    expect(ids.next()).toBe('01ARYZ6S410000000000000000');
  });

  it('reach from the first to the last millisecond of the format', () => {
    const ones = (bytes: Uint8Array) => bytes.fill(255);
    expect(createIds(clockAt(0), ones).next()).toBe('0000000000ZZZZZZZZZZZZZZZZ');
    expect(createIds(clockAt(2 ** 48 - 1), ones).next()).toBe('7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
    expect(() => createIds(clockAt(2 ** 48), ones).next()).toThrow('left the range of a ulid');
  });

  it('take their randomness from the platform when nobody hands any in', () => {
    const first = createIds(clockAt(1)).next();
    const second = createIds(clockAt(1)).next();
    expect(first).toMatch(ULID);
    expect(second).not.toBe(first);
  });

  it('can be given randomness that is fetched for many of them at once', () => {
    const fetched: number[] = [];
    const fill = fillFromPool((pool) => {
      fetched.push(pool.length);
      pool.forEach((_, at) => (pool[at] = (at + fetched.length) % 256));
    });
    const parts = Array.from({ length: 65 }, () => new Uint8Array(16));
    parts.forEach(fill);
    expect(fetched).toEqual([1024, 1024]);
    expect([0, 1, 63, 64].map((at) => parts[at]?.[0])).toEqual([1, 17, 241, 2]);
  });

  it('never get the same randomness twice, however much of it they take', () => {
    let ms = 0;
    const ids = createIds({ now: () => new Date((ms += 1)), sleep: () => Promise.resolve() });
    const random = Array.from({ length: 1000 }, () => ids.next().slice(10));
    expect(new Set(random).size).toBe(1000);
  });

  it('count upwards within one millisecond', () => {
    const ids = createIds(clockAt(0), (bytes) => bytes.fill(0).set([30], 15));
    expect([ids.next(), ids.next(), ids.next()]).toEqual([
      '0000000000000000000000000Y',
      '0000000000000000000000000Z',
      '00000000000000000000000010',
    ]);
  });

  it('move on a millisecond when its 2^80 ids are used up', () => {
    const fills = [255, 0];
    const ids = createIds(clockAt(5), (bytes) => bytes.fill(fills.shift() ?? 7));
    expect([ids.next(), ids.next()]).toEqual([
      '0000000005ZZZZZZZZZZZZZZZZ',
      '00000000060000000000000000',
    ]);
  });

  it('sort in the order of their making, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 2 }), (times) => {
        const ids = createIds(clockThrough(times));
        const made = times.map(() => ids.next());
        expect(made.toSorted()).toEqual(made);
        expect(new Set(made).size).toBe(made.length);
        for (const id of made) expect(id).toMatch(ULID);
      }),
    );
  });
});

describe('an id from outside', () => {
  it('is taken when it is a ulid', () => {
    expect(parseId('01ARYZ6S410000000000000000')).toBe('01ARYZ6S410000000000000000');
  });

  it.each([
    ['empty', ''],
    ['too short', '01ARYZ6S41000000000000000'],
    ['too long', '01ARYZ6S4100000000000000000'],
    ['in lower case', '01aryz6s410000000000000000'],
    ['beyond the last millisecond', '80000000000000000000000000'],
    ['spelled with a letter that ulids avoid', '01ARYZ6S41000000000000000U'],
    ['followed by a newline', '01ARYZ6S410000000000000000\n'],
    ['a path', '../../../../../etc/passwd.'],
  ])('is refused when it is %s', (_name, text) => {
    expect(parseId(text)).toBeUndefined();
  });
});

function clockAt(ms: number): Clock {
  return clockThrough([ms]);
}

/** Shows one time after the other, then stays at the last. */
function clockThrough(times: readonly number[]): Clock {
  let place = 0;
  return {
    now: () => {
      const ms = times[Math.min(place, times.length - 1)] ?? 0;
      place += 1;
      return new Date(ms);
    },
    sleep: () => Promise.resolve(),
  };
}
