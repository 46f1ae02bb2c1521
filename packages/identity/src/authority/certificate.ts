import { type KeyObject, X509Certificate } from 'node:crypto';
import type { Bytes } from '@palyra/kernel';
import { SUBJECT_ALT_NAME } from './name-extensions.ts';
import { loadX509 } from './x509.ts';

/** How far the clock of a device may be behind ours. */
export const CLOCK_SKEW_MS = 5 * 60_000;
export const DAY_MS = 24 * 60 * 60_000;

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** Who signs: an authority with its key. */
export interface Issuer {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

export interface Period {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export interface Leaf {
  readonly subject: string;
  readonly publicKeySpki: Bytes;
  readonly usage: 'clientAuth' | 'serverAuth';
  /** DER of its subjectAltName. */
  readonly names: Bytes;
  readonly period: Period;
}

/** Whole seconds, as certificates count them; never past the end of `issuer`. */
export function periodFrom(now: Date, lengthMs: number, issuer?: X509Certificate): Period {
  const startMs = wholeSeconds(now.getTime());
  const endMs = startMs + lengthMs;
  const limitMs = issuer === undefined ? endMs : issuer.validToDate.getTime();
  return {
    notBefore: new Date(startMs - CLOCK_SKEW_MS),
    notAfter: new Date(Math.min(endMs, limitMs)),
  };
}

/** A certificate that can sign nothing, for one use, with a random serial number of 128 bits. */
export async function issueLeaf(leaf: Leaf, issuer: Issuer): Promise<X509Certificate> {
  const x509 = await loadX509();
  const authority = new x509.X509Certificate(Uint8Array.from(issuer.certificate.raw));
  const certificate = await x509.X509CertificateGenerator.create({
    subject: leaf.subject,
    issuer: authority.subjectName,
    ...leaf.period,
    publicKey: leaf.publicKeySpki,
    signingKey: signingKeyOf(issuer.key),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[leaf.usage]], true),
      new x509.Extension(SUBJECT_ALT_NAME, false, leaf.names),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  return new X509Certificate(Buffer.from(certificate.rawData));
}

export function signingKeyOf(key: KeyObject) {
  return key.toCryptoKey(P256, false, ['sign']);
}

export function derOf(certificate: X509Certificate): Bytes {
  return Uint8Array.from(certificate.raw);
}

/** SHA-256 of its DER form, in hex. */
export function fingerprintOf(certificate: X509Certificate): string {
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase();
}

function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
