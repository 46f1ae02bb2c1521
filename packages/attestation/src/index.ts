export { attestationBytes } from './attestation-bytes.ts';
export { type AttestationFacts, type Attestor, createAttestor } from './attestor.ts';
export { sealEnvelope } from './envelope.ts';
export { verifyAttestation } from './verify-attestation.ts';
export { type EnvelopeVerdict, MAX_ENVELOPE_BYTES, verifyEnvelope } from './verify-envelope.ts';
