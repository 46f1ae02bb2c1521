import { generateKeyPairSync, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { type Authority, AuthoritySchema, AuthorityState } from '@palyra/protocol';
import type { Row } from '@palyra/records';
import { DAY_MS, derOf, fingerprintOf, type Issuer, periodFrom } from './certificate.ts';
import { constraintNames, DEVICE_HOST } from './gateway-names.ts';
import type { Keyring } from './key-at-rest.ts';
import { constraintsExtension } from './name-extensions.ts';

const LIFETIME_MS = 3_650 * DAY_MS;
const ID_LENGTH = 32;

/** An authority whose certificates count, with its key. */
export interface LiveAuthority extends Issuer {
  readonly row: Row<Authority>;
  readonly authorityId: string;
}

export interface MadeAuthority {
  readonly authority: Authority;
  readonly key: KeyObject;
}

/**
 * A new one, not stored yet. It can sign nothing but certificates for TLS of its own names, and no
 * further authority: whoever stole its key could be this gateway and its devices, and nobody else.
 */
export async function makeAuthority(names: readonly string[], now: Date): Promise<MadeAuthority> {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = await selfSign(keys, names, now);
  const fingerprint = fingerprintOf(certificate);
  const authority = create(AuthoritySchema, {
    authorityId: fingerprint.slice(0, ID_LENGTH),
    state: AuthorityState.ACTIVE,
    fingerprint,
    certificate: derOf(certificate),
    createdAt: now.toISOString(),
    notAfter: certificate.validToDate.toISOString(),
    names: constraintNames(names).map(({ text }) => text),
  });
  return { authority, key: keys.privateKey };
}

/** Contract: AUTHORITY_UNUSABLE unless record, certificate and key belong together. */
export function loadAuthority(row: Row<Authority>, keyring: Keyring): LiveAuthority {
  const { authorityId } = row.value;
  const stored = keyring.read(authorityKeyName(authorityId));
  if (stored === undefined) throw unusable(authorityId, 'has lost its key');
  const certificate = readCertificate(row.value);
  if (!certificate.checkPrivateKey(stored.key)) throw unusable(authorityId, 'has a foreign key');
  return { row, authorityId, certificate, key: stored.key };
}

export function authorityKeyName(authorityId: string): string {
  return `authority-${authorityId}.key`;
}

async function selfSign(
  keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  names: readonly string[],
  now: Date,
): Promise<X509Certificate> {
  const { makeAuthorityCertificate } = await import('./make-certificate.ts');
  const draft = {
    // Two authorities must not share a name: some verifiers look for the issuer by nothing else.
    commonName: `Palyra authority ${randomBytes(8).toString('hex')}`,
    publicKeySpki: Uint8Array.from(keys.publicKey.export({ type: 'spki', format: 'der' })),
    constraints: constraintsExtension(constraintNames(names), DEVICE_HOST),
    period: periodFrom(now, LIFETIME_MS),
  };
  return makeAuthorityCertificate(draft, keys.privateKey);
}

function readCertificate({ authorityId, certificate, fingerprint }: Authority): X509Certificate {
  try {
    const parsed = new X509Certificate(certificate);
    if (fingerprintOf(parsed) === fingerprint) return parsed;
  } catch (error) {
    throw unusable(authorityId, 'has a malformed certificate', error);
  }
  throw unusable(authorityId, 'has another certificate than it was made with');
}

function unusable(authorityId: string, what: string, cause?: unknown): PalyraError {
  return new PalyraError('AUTHORITY_UNUSABLE', `the authority \`${authorityId}\` ${what}`, {
    cause,
  });
}
