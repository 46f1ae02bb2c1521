import { generateKeyPairSync, sign } from 'node:crypto';
import { type Bytes, verifySignature } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { isSignedWith } from './platform-signature.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const KEY = Uint8Array.fromBase64(publicKey.export({ format: 'jwk' }).x ?? '', {
  alphabet: 'base64url',
});
const TEXT = Uint8Array.from(Buffer.from('a head'));
const SIGNATURE = Uint8Array.from(sign(null, TEXT, privateKey));

describe('a signature', () => {
  it.each([
    { what: 'of ours', key: KEY, text: TEXT, signature: SIGNATURE, isGood: true },
    { what: 'of another text', key: KEY, text: changed(TEXT), signature: SIGNATURE, isGood: false },
    {
      what: 'that was changed',
      key: KEY,
      text: TEXT,
      signature: changed(SIGNATURE),
      isGood: false,
    },
    { what: 'that is cut', key: KEY, text: TEXT, signature: SIGNATURE.slice(1), isGood: false },
    { what: 'of another key', key: changed(KEY), text: TEXT, signature: SIGNATURE, isGood: false },
    { what: 'of a cut key', key: KEY.slice(1), text: TEXT, signature: SIGNATURE, isGood: false },
    { what: 'of no point', key: offCurve(), text: TEXT, signature: SIGNATURE, isGood: false },
  ])('$what is good: $isGood, as the portable answer says', async (given) => {
    expect(isSignedWith(given.key, given.text, given.signature)).toBe(given.isGood);
    expect(await verifySignature(given.key, given.text, given.signature)).toBe(given.isGood);
  });
});

function changed(bytes: Bytes): Bytes {
  return bytes.map((byte, at) => (at === 3 ? byte ^ 1 : byte));
}

/** With a y for which the curve has no x. */
function offCurve(): Bytes {
  return Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 2 : 0));
}
