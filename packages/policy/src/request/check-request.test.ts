import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PolicyRequest } from '../model.ts';
import { MAX_REQUEST_BYTES, MAX_REQUEST_DEPTH, checkRequest } from './check-request.ts';
import { requestOf } from './call.fixture.ts';

/** Puts anything where the types promise something else. */
function withContext(context: unknown): PolicyRequest {
  return Object.assign({ ...requestOf() }, { context });
}

describe('a request that Cedar may see', () => {
  it('is one that was built from a call', () => {
    expect(checkRequest(requestOf())).toBeUndefined();
  });

  it('may be as large as the bound, to the byte', () => {
    expect(checkRequest(requestOfBytes('a', MAX_REQUEST_BYTES))).toBeUndefined();
    expect(checkRequest(requestOfBytes('a', MAX_REQUEST_BYTES + 1))).toBe(
      'the request is larger than 65536 bytes',
    );
  });
});

describe('a request that Cedar must not see', () => {
  class Point {
    readonly x = 1;
  }
  it.each([
    ['an integer that is not exact', 9_007_199_254_740_992, 'a number is not an exact integer'],
    ['a negative one', -9_007_199_254_740_992, 'a number is not an exact integer'],
    ['a fraction', 1.5, 'a number is not an exact integer'],
    ['not a number', Number.NaN, 'a number is not an exact integer'],
    ['infinity', Number.POSITIVE_INFINITY, 'a number is not an exact integer'],
    ['null', null, 'a value is null'],
    ['half a surrogate pair', 'a\uD800', 'a text holds half a surrogate pair'],
    ['half of one in a key', { '\uDC00': 1 }, 'a text holds half a surrogate pair'],
    ['a key `__proto__`', JSON.parse('{"__proto__":1}'), 'a key is called `__proto__`'],
    ['undefined', undefined, 'a value is of the type undefined, which json cannot say'],
    [
      'a hole',
      Array.from({ length: 1 }),
      'a value is of the type undefined, which json cannot say',
    ],
    ['a bigint', 1n, 'a value is of the type bigint, which json cannot say'],
    ['a symbol', Symbol('a'), 'a value is of the type symbol, which json cannot say'],
    ['a function', () => 1, 'a value is of the type function, which json cannot say'],
    ['its own json', { toJSON: () => 1 }, 'a value is of the type function, which json cannot say'],
    ['a date', new Date(0), 'a value is not a plain object'],
    ['a map', new Map(), 'a value is not a plain object'],
    ['an instance of a class', new Point(), 'a value is not a plain object'],
  ])('holds %s, at any depth', (_name, value, problem) => {
    expect(checkRequest(withContext({ value }))).toBe(problem);
    expect(checkRequest(withContext({ a: [{ b: [value] }] }))).toBe(problem);
    expect(checkRequest(Object.assign({ ...requestOf() }, { entities: [value] }))).toBe(problem);
  });

  it('is too deep', () => {
    let deep: unknown = 'a';
    for (let level = 0; level < MAX_REQUEST_DEPTH; level += 1) deep = [deep];
    expect(checkRequest(withContext({ deep }))).toBe('a value is deeper than 16 levels');
  });

  it('never ends', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(checkRequest(withContext(circle))).toBe('a value is deeper than 16 levels');
  });

  it('is small in memory and endless as text', () => {
    let shared: unknown = ['a', 'a'];
    for (let level = 0; level < 13; level += 1) shared = Array.from({ length: 32 }, () => shared);
    expect(checkRequest(withContext({ shared }))).toBe('the request is larger than 65536 bytes');
  });

  it('has many characters that are long as bytes', () => {
    for (const character of ['\0', '日', '\u{1F600}', '"']) {
      const least = requestOfBytes(character, MAX_REQUEST_BYTES - 8);
      expect(checkRequest(least)).toBeUndefined();
      expect(checkRequest(requestOfBytes(character, MAX_REQUEST_BYTES + 8))).toBe(
        'the request is larger than 65536 bytes',
      );
    }
  });

  it('breaks when it is read', () => {
    const context = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(checkRequest(withContext(context))).toBe('the request cannot be read');
  });

  it.each([[{}], [{ principal: {} }], [[]], ['text'], [1]])('is not whole: %j', (garbage) => {
    expect(checkRequest(Object.assign(Object.create(null), garbage))).toMatch(
      /^the request (?:is not whole|cannot be read)$/,
    );
  });

  it.each([['a'], [[]], [1]])('has the context %j', (context) => {
    expect(checkRequest(withContext(context))).toBe('the request is not whole');
  });
});

it('any value at all is answered, never thrown at', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withMap: true, withSparseArray: true }),
      (value) => {
        const problem = checkRequest(withContext(value));
        expect(['string', 'undefined']).toContain(typeof problem);
      },
    ),
  );
});

/** Near the size asked for: not beyond it, and less by at most one character. */
function requestOfBytes(character: string, bytes: number): PolicyRequest {
  const request = (filler: string) => withContext({ filler });
  const sizeOf = (filler: string) => Buffer.byteLength(JSON.stringify(request(filler)));
  const each = sizeOf(character) - sizeOf('');
  return request(character.repeat(Math.floor((bytes - sizeOf('')) / each)));
}
