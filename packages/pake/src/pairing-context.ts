import { sha256 } from '@noble/hashes/sha2.js';
import type { DeviceKind, PairingSecret } from '@palyra/protocol';
import { type Bytes, lengthPrefixed, utf8 } from './bytes.ts';

/** What both sides of a pairing must have seen alike. */
export interface PairingFacts {
  /** As the device sent it, so empty where it did not know. */
  readonly pairingId: string;
  readonly secret: PairingSecret;
  readonly name: string;
  readonly kind: DeviceKind;
  /** PKCS #10, DER. */
  readonly certificateRequest: Uint8Array;
  /**
   * SHA-256 of the certificate that the server showed on this connection. Whoever stands in
   * between shows another one, and then the two sides do not agree.
   */
  readonly serverFingerprint: Uint8Array;
}

export function pairingContext(facts: PairingFacts): Bytes {
  return lengthPrefixed([
    utf8('palyra.pairing.context.v1'),
    utf8(facts.pairingId),
    utf8(`${facts.secret}`),
    utf8(facts.name),
    utf8(`${facts.kind}`),
    sha256(facts.certificateRequest),
    facts.serverFingerprint,
  ]);
}
