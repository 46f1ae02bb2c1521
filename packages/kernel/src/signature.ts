import { type Bytes, sha256Hex } from './sha256.ts';

/** Signs for this installation. Only the daemon has one; everybody else verifies. */
export interface Signer {
  readonly keyId: string;
  /** Raw Ed25519 public key, 32 bytes. */
  readonly publicKey: Bytes;
  sign(bytes: Uint8Array): Bytes;
}

export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

export function keyIdOf(publicKey: Uint8Array): string {
  return sha256Hex(publicKey);
}

/** Contract: never throws for a malformed key or signature; those do not verify. */
export async function verifySignature(
  publicKey: Bytes,
  bytes: Bytes,
  signature: Bytes,
): Promise<boolean> {
  if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  const { subtle } = globalThis.crypto;
  try {
    const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
    return await subtle.verify('Ed25519', key, signature, bytes);
  } catch {
    // A point that is not on the curve makes the import fail; that is a bad signature, not a fault.
    return false;
  }
}
