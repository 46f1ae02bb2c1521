import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duplicateKey } from './duplicate-keys.ts';

describe('a key that stands twice', () => {
  it.each([
    ['plainly', '{"path":"/etc/passwd","path":"README.md"}', 'path'],
    ['in another spelling', '{"a":1,"\\u0061":2}', 'a'],
    ['deep inside', '{"x":[{"y":{"z":1,"q":2,"z":3}}]}', 'z'],
    ['with space before the colon', '{"a" : 1, "a"\n:2}', 'a'],
    ['after a value with quotes', '{"a":"\\"}{\\\\","a":2}', 'a'],
  ])('is found %s', (_how, json, key) => {
    expect(duplicateKey(json)).toBe(key);
  });

  it.each([
    '{"a":"a","b":"a"}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":2}]',
    '{"a":["a","a","a:"]}',
    '{"a":"b\\":","b":1}',
  ])('is not seen where there is none: %s', (json) => {
    expect(duplicateKey(json)).toBeUndefined();
  });

  it('is never seen in what a writer of JSON made', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => duplicateKey(JSON.stringify(value)) === undefined),
    );
  });
});
