import { type Bytes, type Signer, canonicalBytes } from '@palyra/kernel';
import type { ToolAttestation } from '@palyra/protocol';
import { statementBytes } from './statement.ts';

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/**
 * A DSSE envelope around the statement about one call, as the JSON of a file.
 * Contract: the attestation was verified before; the signature here would vouch for it otherwise.
 * The same attestation always gives the same bytes.
 */
export function sealEnvelope(attestation: ToolAttestation, signer: Signer): Bytes {
  const payload = statementBytes(attestation, signer.publicKey);
  const signature = signer.sign(preAuthenticationBytes(payload));
  return canonicalBytes({
    payload: payload.toBase64(),
    payloadType: PAYLOAD_TYPE,
    signatures: [{ keyid: signer.keyId, sig: signature.toBase64() }],
  });
}

/**
 * The bytes that DSSE signs: type and payload, each behind its length.
 * INVARIANT: they begin with `DSSEv1`, and all else that this key signs is a JSON object, so a
 * signature of one kind can never pass for another.
 */
export function preAuthenticationBytes(payload: Uint8Array): Bytes {
  const head = `DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `;
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(new TextEncoder().encode(head));
  bytes.set(payload, head.length);
  return bytes;
}
