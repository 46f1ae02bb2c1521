import { createPublicKey, verify } from 'node:crypto';
import { type Bytes, PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '@palyra/kernel';

/**
 * The same answer as `verifySignature` of the kernel, which browsers load, too. Opening a store asks
 * here: WebCrypto would first have to be loaded, and every start waits for that.
 * Contract: never throws for a malformed key or signature; those do not verify.
 */
export function isSignedWith(publicKey: Bytes, bytes: Bytes, signature: Bytes): boolean {
  if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  const x = publicKey.toBase64({ alphabet: 'base64url', omitPadding: true });
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, bytes, key, signature);
  } catch {
    // A point that is not on the curve is a bad signature, not a fault.
    return false;
  }
}
