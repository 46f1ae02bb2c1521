import { X509Certificate, createHash, createPrivateKey } from 'node:crypto';
import { PalyraError } from '@palyra/kernel';
import { toPem } from './device-key.ts';
import type { DeviceIdentity } from './device-identity.ts';

/** More than a gateway can have: one that issues and one that retires. */
const MAX_AUTHORITIES = 8;

export interface Issue {
  /** DER. */
  readonly certificate: Uint8Array;
  readonly authorities: readonly Uint8Array[];
  /** PEM. */
  readonly key: string;
}

export type Credential = Pick<
  DeviceIdentity,
  'key' | 'certificate' | 'authorities' | 'authorityId' | 'notBefore' | 'notAfter'
>;

/** Contract: throws GATEWAY_UNTRUSTED unless it is for our key and from one of the authorities. */
export function acceptIssue({ certificate, authorities, key }: Issue): Credential {
  if (authorities.length > MAX_AUTHORITIES) throw useless('too many authorities came with it');
  const own = readCertificate(certificate);
  const known = authorities.map(readCertificate);
  if (!own.checkPrivateKey(createPrivateKey(key))) throw useless('it is for another key');
  const issuer = known.find((authority) => isIssuedBy(own, authority));
  if (issuer === undefined) throw useless('none of its authorities has issued it');
  return {
    key,
    certificate: toPem('CERTIFICATE', own.raw),
    authorities: known.map(({ raw }) => toPem('CERTIFICATE', raw)),
    authorityId: authorityIdOf(issuer.raw),
    notBefore: own.validFromDate.toISOString(),
    notAfter: own.validToDate.toISOString(),
  };
}

export function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return (
    authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
  );
}

/** First 32 hex digits of the fingerprint, as the gateway names its authorities. */
export function authorityIdOf(der: Uint8Array): string {
  return fingerprintOf(der).slice(0, 32);
}

/** SHA-256 of the DER form, in hex. */
export function fingerprintOf(der: Uint8Array): string {
  return createHash('sha256').update(der).digest('hex');
}

/** Contract: throws GATEWAY_UNTRUSTED for bytes that are no certificate. */
export function readCertificate(der: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (cause) {
    throw useless('it cannot be read', cause);
  }
}

function useless(why: string, cause?: unknown): PalyraError {
  return new PalyraError('GATEWAY_UNTRUSTED', `the gateway sent a useless certificate: ${why}`, {
    cause,
  });
}
