import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GENERATOR, decodePoint, decodeScalar, encodePoint, reduceToScalar } from './group.ts';

const ORDER = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';

describe('a point', () => {
  it('is read from its uncompressed form', () => {
    expect(decodePoint(encodePoint(GENERATOR))?.equals(GENERATOR)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['the identity', '00'],
    ['the identity, padded', '00'.repeat(65)],
    ['the compressed form', GENERATOR.toHex(true)],
    ['the hybrid form', `06${GENERATOR.toHex(false).slice(2)}`],
    ['a point beside the curve', `04${'00'.repeat(63)}01`],
    ['zero and zero', `04${'00'.repeat(64)}`],
    ['a coordinate outside the field', `04${'ff'.repeat(64)}`],
    ['one byte more', `${GENERATOR.toHex(false)}00`],
    ['one byte less', GENERATOR.toHex(false).slice(0, -2)],
  ])('is not %s', (_what, text) => {
    expect(decodePoint(Uint8Array.fromHex(text))).toBeUndefined();
  });

  it('is never read from bytes that are none, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 66 }), (bytes) => {
        const candidate = Uint8Array.from(bytes);
        candidate[0] = 4;
        const point = decodePoint(candidate);
        return point === undefined || encodePoint(point).toHex() === candidate.toHex();
      }),
      { numRuns: 300 },
    );
  });
});

describe('a scalar', () => {
  it.each([
    ['zero', '00'.repeat(32)],
    ['the order', ORDER],
    ['one byte short', '01'.repeat(31)],
  ])('is not %s', (_what, text) => {
    expect(decodeScalar(Uint8Array.fromHex(text))).toBeUndefined();
  });

  it('is reduced by the order', () => {
    expect(reduceToScalar(Uint8Array.fromHex(`0000${ORDER}`))).toBe(0n);
    expect(reduceToScalar(Uint8Array.fromHex(`01${'00'.repeat(32)}`))).toBe(
      0xffffffff00000000000000004319055258e8617b0c46353d039cdaafn,
    );
  });
});
