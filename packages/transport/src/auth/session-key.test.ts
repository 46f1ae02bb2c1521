import { generateKeyPairSync } from 'node:crypto';
import { makeConsoleKey } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { sessionKey } from './session-key.ts';

const own = Buffer.from((await makeConsoleKey()).publicKey, 'base64url');

function changed(place: number, value: number): Buffer {
  const copy = Buffer.from(own);
  copy[place] = value;
  return copy;
}

function der(type: 'P-256' | 'P-384' | 'ed25519' | 'rsa'): Buffer {
  const encoding = { publicKeyEncoding: { format: 'der', type: 'spki' } } as const;
  const privateKeyEncoding = { format: 'der', type: 'pkcs8' } as const;
  const options = { ...encoding, privateKeyEncoding };
  switch (type) {
    case 'rsa':
      return generateKeyPairSync('rsa', { modulusLength: 2048, ...options }).publicKey;
    case 'ed25519':
      return generateKeyPairSync('ed25519', options).publicKey;
    case 'P-256':
    case 'P-384':
      return generateKeyPairSync('ec', { namedCurve: type, ...options }).publicKey;
  }
}

describe('the key of a session', () => {
  it('is a point on P-256', () => {
    expect(sessionKey(own)?.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(65)],
    ['the point at infinity', Buffer.concat([Buffer.of(4), Buffer.alloc(64)])],
    ['beyond the field', Buffer.concat([Buffer.of(4), Buffer.alloc(64, 255)])],
    ['beside the curve', changed(64, (own[64] ?? 0) ^ 1)],
    ['written in the hybrid way', changed(0, 6 + ((own[64] ?? 0) & 1))],
    ['compressed', Buffer.concat([Buffer.of(2 + ((own[64] ?? 0) & 1)), own.subarray(1, 33)])],
    ['a byte short', own.subarray(0, 64)],
    ['a byte long', Buffer.concat([own, Buffer.of(0)])],
    ['in its DER form', der('P-256')],
    ['of P-384', der('P-384').subarray(-97)],
    ['of P-384, cut to length', der('P-384').subarray(-97, -32)],
    ['of Ed25519', der('ed25519').subarray(-32)],
    ['of RSA', der('rsa')],
  ])('is none when it is %s', (_what, point) => {
    expect(sessionKey(point)).toBeUndefined();
  });
});
