import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { utf8 } from './bytes.ts';
import { deriveSecret, deriveVerifier, verifierFromBytes, verifierToBytes } from './password.ts';

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

describe('what a password becomes', () => {
  it('is scrypt, as the platform computes it, reduced by the order', async () => {
    const input = Buffer.concat([
      Buffer.from('0600000000000000', 'hex'),
      utf8('123456'),
      Buffer.alloc(16),
    ]);
    const derived = scryptSync(input, 'palyra.pairing.password.v1', 80, { N: 16_384, r: 8, p: 1 });
    const halves = [derived.subarray(0, 40), derived.subarray(40)];
    const [w0, w1] = halves.map((half) => BigInt(`0x${half.toString('hex')}`) % ORDER);
    expect(await deriveSecret('123456')).toStrictEqual({ w0, w1 });
  });

  it('lets other work go on while it is computed', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    await deriveVerifier('123456');
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });
});

describe('a verifier', () => {
  it('comes back from its bytes', async () => {
    const bytes = verifierToBytes(await deriveVerifier('123456'));
    const again = verifierFromBytes(bytes);
    expect(again === undefined ? undefined : verifierToBytes(again)).toStrictEqual(bytes);
    expect(bytes).toHaveLength(97);
  });

  it.each([0, 32, 96, 97, 98])('is not read from %i bytes of something else', (length) => {
    expect(verifierFromBytes(new Uint8Array(length).fill(9))).toBeUndefined();
  });
});
