import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, sha256, sha256Hex, toHex } from './sha256.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('sha-256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
  ])('gives the answer of FIPS 180 for "%s"', (text, digest) => {
    expect(sha256Hex(bytesOf(text))).toBe(digest);
    expect(toHex(sha256(bytesOf(text)))).toBe(digest);
    expect(sha256(bytesOf(text))).toHaveLength(32);
  });

  it('gives the answer of FIPS 180 for a million times the letter a', () => {
    expect(sha256Hex(new Uint8Array(1_000_000).fill(0x61))).toBe(
      'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
    );
  });

  it('agrees with the platform for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
        expect(sha256(bytes)).toEqual(new Uint8Array(digest));
      }),
    );
  });
});

describe('hex', () => {
  it('gives back the bytes that it was made from', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(fromHex(toHex(bytes))).toEqual(new Uint8Array(bytes));
      }),
    );
  });

  it('is lower case, two digits a byte', () => {
    expect(toHex(new Uint8Array([0, 10, 255]))).toBe('000aff');
  });

  it.each(['0', '0A', '0g', ' 00', '00\n', '0x00', 'ⅵ0'])('is not `%s`', (text) => {
    expect(fromHex(text)).toBeUndefined();
  });
});
