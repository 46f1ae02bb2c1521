import { toJson } from '@bufbuild/protobuf';
import { type Bytes, canonicalBytes } from '@palyra/kernel';
import { type ToolAttestation, ToolAttestationSchema } from '@palyra/protocol';

export const ATTESTATION_FORMAT = 'palyra.attestation.v1';

/**
 * The bytes that are signed: the RFC 8785 form of the attestation's JSON without the signature.
 * Contract: throws a TypeError or RangeError for field values that the wire cannot carry.
 * INVARIANT: they name their own `format`, as everything does that this key signs, so a signature
 * of one kind can never pass for another.
 */
export function attestationBytes(attestation: ToolAttestation): Bytes {
  return canonicalBytes(
    toJson(ToolAttestationSchema, { ...attestation, signature: new Uint8Array() }),
  );
}
