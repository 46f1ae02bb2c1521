import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { type Bytes, type Log, PalyraError } from '@palyra/kernel';
import type { IdentitySettings } from '../identity-section.ts';
import type { LiveAuthority } from './authority.ts';
import { CLOCK_SKEW_MS, DAY_MS, issueLeaf, periodFrom } from './certificate.ts';
import {
  type GatewayName,
  isPermitted,
  serverNameOf,
  subjectAltNameText,
  wantedNames,
} from './gateway-names.ts';
import type { Keyring, StoredKey } from './key-at-rest.ts';
import { namesExtension } from './name-extensions.ts';

/** What the TLS server answers a client of one authority with. */
export interface ServerCredential {
  readonly authorityId: string;
  readonly serverName: string;
  readonly certificatePem: string;
  readonly keyPem: string;
  readonly authorityPem: string;
  /** SHA-256 of the DER form of the certificate. */
  readonly fingerprint: Bytes;
}

export interface ServerParts {
  readonly keyring: Keyring;
  readonly settings: IdentitySettings;
  readonly log: Log;
}

/** The gateway's certificate of this authority as it is stored; a new one when that no longer does. */
export async function serverCredential(
  authority: LiveAuthority,
  parts: ServerParts,
  now: Date,
): Promise<ServerCredential> {
  const stored = readStored(authority, parts);
  if (stored !== undefined && isGood(stored, authority, { ...parts, now })) {
    return credentialOf(stored, authority);
  }
  const made = await makeServerKey(authority, parts.settings, now);
  parts.keyring.replace(serverKeyName(authority.authorityId), made);
  parts.log.info('server certificate made', { authorityId: authority.authorityId });
  return credentialOf(made, authority);
}

export function serverKeyName(authorityId: string): string {
  return `server-${authorityId}.pem`;
}

/** Configured names that certificates of this authority cannot bear. */
export function leftOut(authority: LiveAuthority, { names }: IdentitySettings): readonly string[] {
  return wantedNames(authority.authorityId, names)
    .filter((name) => !isPermitted(name, authority.row.value.names))
    .map(({ text }) => text);
}

function readStored(
  { authorityId }: LiveAuthority,
  { keyring, log }: ServerParts,
): StoredKey | undefined {
  try {
    return keyring.read(serverKeyName(authorityId));
  } catch (error) {
    const fault = PalyraError.from(error);
    // Unlike an authority it is replaced without loss; what others could write to is not touched.
    if (fault.code !== 'AUTHORITY_UNUSABLE') throw fault;
    log.warn('server certificate is unusable and is made anew', { authorityId });
    return undefined;
  }
}

function isGood(
  { key, certificatePem }: StoredKey,
  authority: LiveAuthority,
  { settings, now }: { readonly settings: IdentitySettings; readonly now: Date },
): boolean {
  const certificate = parseCertificate(certificatePem);
  return (
    certificate !== undefined &&
    certificate.checkPrivateKey(key) &&
    certificate.verify(authority.certificate.publicKey) &&
    certificate.subjectAltName === subjectAltNameText(namesFor(authority, settings)) &&
    isFresh(certificate, settings, now)
  );
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    // Damaged like any other that is no longer good: it is made anew.
    return undefined;
  }
}

function isFresh(
  { validFromDate, validToDate }: X509Certificate,
  settings: IdentitySettings,
  now: Date,
): boolean {
  const leftMs = validToDate.getTime() - now.getTime();
  const wholeMs = validToDate.getTime() - validFromDate.getTime();
  // One that was made for longer than is wished today counts as too old, too.
  return (
    validFromDate <= now &&
    leftMs * 3 > wholeMs &&
    leftMs <= settings.server_certificate_days * DAY_MS + CLOCK_SKEW_MS
  );
}

async function makeServerKey(
  authority: LiveAuthority,
  settings: IdentitySettings,
  now: Date,
): Promise<StoredKey> {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const lengthMs = settings.server_certificate_days * DAY_MS;
  const leaf = {
    commonName: 'Palyra gateway',
    publicKeySpki: Uint8Array.from(keys.publicKey.export({ type: 'spki', format: 'der' })),
    usage: 'serverAuth',
    names: namesExtension(namesFor(authority, settings)),
    period: periodFrom(now, lengthMs, authority.certificate),
  } as const;
  const certificate = await issueLeaf(leaf, authority);
  return { key: keys.privateKey, certificatePem: certificate.toString() };
}

function namesFor(authority: LiveAuthority, settings: IdentitySettings): readonly GatewayName[] {
  return wantedNames(authority.authorityId, settings.names).filter((name) =>
    isPermitted(name, authority.row.value.names),
  );
}

function credentialOf(stored: StoredKey, authority: LiveAuthority): ServerCredential {
  const { raw } = new X509Certificate(stored.certificatePem);
  return {
    authorityId: authority.authorityId,
    serverName: serverNameOf(authority.authorityId),
    certificatePem: stored.certificatePem,
    keyPem: stored.key.export({ type: 'pkcs8', format: 'pem' }),
    authorityPem: authority.certificate.toString(),
    fingerprint: Uint8Array.from(createHash('sha256').update(raw).digest()),
  };
}
