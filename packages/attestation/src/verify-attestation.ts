import { type Bytes, SIGNATURE_BYTES, keyIdOf, verifySignature } from '@palyra/kernel';
import type { ToolAttestation } from '@palyra/protocol';
import { ATTESTATION_FORMAT, attestationBytes } from './attestation-bytes.ts';

/**
 * Whether the holder of this key signed exactly this attestation.
 * Contract: never throws; what is malformed, or says more than was signed, does not verify.
 */
export async function verifyAttestation(
  attestation: ToolAttestation,
  publicKey: Bytes,
): Promise<boolean> {
  if (attestation.format !== ATTESTATION_FORMAT) return false;
  if (attestation.keyId !== keyIdOf(publicKey)) return false;
  if (attestation.signature.length !== SIGNATURE_BYTES) return false;
  // Fields that this version does not know are outside the bytes below, so nobody vouches for them.
  if ((attestation.$unknown ?? []).length > 0) return false;
  const signed = signedBytes(attestation);
  if (signed === undefined) return false;
  return await verifySignature(publicKey, signed, new Uint8Array(attestation.signature));
}

function signedBytes(attestation: ToolAttestation): Bytes | undefined {
  try {
    return attestationBytes(attestation);
  } catch {
    // Half a surrogate pair, a number out of range: no attestor can have signed that.
    return undefined;
  }
}
