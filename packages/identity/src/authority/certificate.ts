import type { KeyObject, X509Certificate } from 'node:crypto';
import type { Bytes } from '@palyra/kernel';

/** How far the clock of a device may be behind ours. */
export const CLOCK_SKEW_MS = 5 * 60_000;
export const DAY_MS = 24 * 60 * 60_000;

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
  readonly commonName: string;
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

/** What makes certificates is loaded late: most starts make none. */
export async function issueLeaf(leaf: Leaf, issuer: Issuer): Promise<X509Certificate> {
  const { makeLeafCertificate } = await import('./make-certificate.ts');
  return makeLeafCertificate(leaf, issuer);
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
