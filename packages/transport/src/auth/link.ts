import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { PresentedCertificate, Stranger } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import { isLoopbackAddress } from '../address.ts';

/** What a connection itself says about whoever speaks over it. */
export type Link =
  /** On the device port, without a certificate: may pair and nothing else. */
  | { readonly at: 'pairing'; readonly stranger: () => Stranger }
  | {
      readonly at: 'device';
      readonly proof: CertificateProof;
      readonly stranger: () => Stranger;
      /** It came to hear why, and ends by itself: nothing that was taken back need end it before. */
      readonly turnedAway?: TurnedAway;
    }
  /**
   * A device carries a browser. INVARIANT: its certificate opens this connection and authorises
   * nothing on it, because whatever reaches the listener of that device arrives here with it.
   */
  | { readonly at: 'carried'; readonly proof: CertificateProof }
  /** On the console port, plain HTTP on loopback. */
  | { readonly at: 'console'; readonly host: string };

export type TurnedAway = 'revoked' | 'crowded';

export interface CertificateProof {
  readonly by: 'certificate';
  readonly certificate: LinkCertificate;
}

export interface LinkCertificate extends PresentedCertificate {
  readonly notAfter: Date;
}

/** Contract: `undefined` when none was presented; whether it holds is not asked here. */
export function certificateOf(socket: TLSSocket): LinkCertificate | undefined {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  return {
    fingerprint: createHash('sha256').update(certificate.raw).digest('hex'),
    subjectAltName: certificate.subjectAltName ?? '',
    notAfter: certificate.validToDate,
  };
}

/** Contract: called while the connection is open; rejects otherwise. */
export function strangerOf(socket: TLSSocket): Stranger {
  // What was really shown on this connection, which its server name has decided.
  const shown = socket.getX509Certificate();
  const address = socket.remoteAddress;
  if (shown === undefined || address === undefined) {
    throw new PalyraError('CANCELLED', 'the connection is gone');
  }
  return {
    address,
    isLoopback: isLoopbackAddress(address),
    serverFingerprint: new Uint8Array(createHash('sha256').update(shown.raw).digest()),
  };
}
