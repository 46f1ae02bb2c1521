import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { type Bytes, areEqual, lengthPrefixed, utf8 } from './bytes.ts';

/** What the gateway hands a device that was confirmed (PairingIssued on the wire). */
export interface Issued {
  readonly deviceId: string;
  /** DER. */
  readonly certificate: Uint8Array;
  /** DER; in the order in which they are sent. */
  readonly authorities: readonly Uint8Array[];
}

/** Who does not know the secret of the pairing cannot put an authority of their own in there. */
export function issuedProof(sharedKey: Uint8Array, issued: Issued): Bytes {
  const statement = lengthPrefixed([
    utf8('palyra.pairing.issued.v1'),
    utf8(issued.deviceId),
    issued.certificate,
    ...issued.authorities,
  ]);
  return Uint8Array.from(hmac(sha256, sharedKey, statement));
}

export function isIssuedProof(sharedKey: Uint8Array, issued: Issued, proof: Uint8Array): boolean {
  return areEqual(proof, issuedProof(sharedKey, issued));
}
