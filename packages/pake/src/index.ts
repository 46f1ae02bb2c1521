export type { Bytes } from './bytes.ts';
export {
  type Agreement,
  type Prover,
  type ProverAgreement,
  type ProverInput,
  type RespondInput,
  type Response,
  createProver,
  isShare,
  respond,
} from './exchange.ts';
export { type Issued, isIssuedProof, issuedProof } from './issued-proof.ts';
export { type PairingFacts, pairingContext } from './pairing-context.ts';
export {
  MAX_LINK_ADDRESSES,
  type PairingLink,
  encodePairingLink,
  parsePairingLink,
} from './pairing-link.ts';
export { deriveVerifier, verifierFromBytes, verifierToBytes } from './password.ts';
export { formatPin, parsePin } from './pin.ts';
export type { Verifier } from './spake2plus.ts';
