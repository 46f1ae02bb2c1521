import { toJson } from '@bufbuild/protobuf';
import { type Bytes, canonicalBytes } from '@palyra/kernel';
import { type ToolAttestation, ToolAttestationSchema } from '@palyra/protocol';

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'urn:palyra:tool-call:v1';

/**
 * One call as an in-toto Statement: about what was proposed and what came out, the attestation
 * itself with its own signature, and the key that both signatures are of.
 * Contract: the same attestation always gives the same bytes; throws, as `attestationBytes` does,
 * for field values that the wire cannot carry.
 */
export function statementBytes(attestation: ToolAttestation, publicKey: Bytes): Bytes {
  const { callId, fingerprint, executionSha256 } = attestation;
  return canonicalBytes({
    _type: STATEMENT_TYPE,
    subject: [
      { name: `palyra:call:${callId}:proposal`, digest: { sha256: fingerprint } },
      { name: `palyra:call:${callId}:output`, digest: { sha256: executionSha256 } },
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      attestation: toJson(ToolAttestationSchema, attestation),
      publicKey: publicKey.toBase64(),
    },
  });
}
