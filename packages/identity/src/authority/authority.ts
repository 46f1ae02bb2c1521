import { generateKeyPairSync, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { type Authority, AuthoritySchema, AuthorityState } from '@palyra/protocol';
import type { Row } from '@palyra/records';
import {
  DAY_MS,
  derOf,
  fingerprintOf,
  type Issuer,
  periodFrom,
  signingKeyOf,
} from './certificate.ts';
import { constraintNames, DEVICE_HOST } from './gateway-names.ts';
import type { Keyring } from './key-at-rest.ts';
import { constraintsExtension, NAME_CONSTRAINTS } from './name-extensions.ts';
import { loadX509 } from './x509.ts';

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
  const x509 = await loadX509();
  const spki = Uint8Array.from(keys.publicKey.export({ type: 'spki', format: 'der' }));
  // Two authorities must not share a name: some verifiers look for the issuer by nothing else.
  const name = `CN=Palyra authority ${randomBytes(8).toString('hex')}`;
  const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
  const constraints = constraintsExtension(constraintNames(names), DEVICE_HOST);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: name,
    issuer: name,
    ...periodFrom(now, LIFETIME_MS),
    publicKey: spki,
    signingKey: signingKeyOf(keys.privateKey),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([serverAuth, clientAuth], false),
      new x509.Extension(NAME_CONSTRAINTS, true, constraints),
      await x509.SubjectKeyIdentifierExtension.create(spki),
    ],
  });
  return new X509Certificate(Buffer.from(certificate.rawData));
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
