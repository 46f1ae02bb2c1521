export { attestationBytes } from './attestation-bytes.ts';
export { type AttestationFacts, type Attestor, createAttestor } from './attestor.ts';
export { verifyAttestation } from './verify-attestation.ts';
