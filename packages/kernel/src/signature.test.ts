import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bytes, fromHex } from './sha256.ts';
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES, keyIdOf, verifySignature } from './signature.ts';

/** RFC 8032, section 7.1: public key, message, signature. */
const RFC_VECTORS = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
  [
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  ],
] as const;

const [publicKey, message, signature] = RFC_VECTORS[2].map(bytesOf);

describe('a signature', () => {
  it.each(RFC_VECTORS)('of RFC 8032 verifies under %s', async (...vector) => {
    const [key, bytes, signed] = vector.map(bytesOf);
    expect(await verify(key, bytes, signed)).toBe(true);
  });

  it('does not verify once any bit of key, message or signature is flipped', async () => {
    const parts = [publicKey, message, signature];
    const place = fc.integer({ min: 0, max: 2 }).chain((part) =>
      fc.record({
        part: fc.constant(part),
        bit: fc.integer({ min: 0, max: (parts[part]?.length ?? 0) * 8 - 1 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(place, async ({ part, bit }) => {
        const [key, bytes, signed] = parts.map((original, at) =>
          at === part ? flip(original, bit) : original,
        );
        expect(await verify(key, bytes, signed)).toBe(false);
      }),
    );
  });

  it('that is malformed does not verify, and never throws', async () => {
    const anyBytes = fc.uint8Array({ maxLength: 80 }).map((bytes) => new Uint8Array(bytes));
    await fc.assert(
      fc.asyncProperty(anyBytes, anyBytes, async (key, signed) => {
        expect(await verify(key, message, signed)).toBe(false);
      }),
    );
  });

  it.each([
    ['a key that is too short', new Uint8Array(31), new Uint8Array(64)],
    ['a signature that is too long', new Uint8Array(32), new Uint8Array(65)],
    ['a key that is no point of the curve', new Uint8Array(32).fill(0xff), new Uint8Array(64)],
    ['nothing at all', new Uint8Array(), new Uint8Array()],
  ])('with %s does not verify', async (_name, key, signed) => {
    expect(await verify(key, message, signed)).toBe(false);
  });
});

it('a key is named by the digest of its bytes', () => {
  expect(keyIdOf(new Uint8Array())).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
  expect([PUBLIC_KEY_BYTES, SIGNATURE_BYTES]).toEqual([32, 64]);
});

function bytesOf(hex: string): Bytes {
  const bytes = fromHex(hex);
  if (bytes === undefined) throw new Error('the vector is not hex');
  return bytes;
}

function flip(bytes: Bytes | undefined, bit: number): Bytes {
  const copy = new Uint8Array(bytes ?? []);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

function verify(key?: Bytes, bytes?: Bytes, signed?: Bytes): Promise<boolean> {
  if (key === undefined || bytes === undefined || signed === undefined) {
    throw new Error('a part of the vector is missing');
  }
  return verifySignature(key, bytes, signed);
}
