import { createPublicKey } from 'node:crypto';
import { type Bytes, PalyraError, parseId, sha256Hex } from '@palyra/kernel';
import { DAY_MS, derOf, fingerprintOf, issueLeaf, periodFrom } from './certificate.ts';
import type { LiveAuthority } from './authority.ts';
import { DEVICE_HOST } from './gateway-names.ts';
import { uriExtension } from './name-extensions.ts';
import { loadX509, type X509 } from './x509.ts';

/** One for a P-256 key is some 230 bytes. */
export const MAX_REQUEST_BYTES = 4_096;
/** An honest request has some 30 elements, 8 deep. */
const PARSER_BOUNDS = { maxDepth: 16, maxNodes: 256, maxContentLength: MAX_REQUEST_BYTES } as const;
/** A promise of the product, therefore no setting. */
const DEVICE_LIFETIME_MS = DAY_MS;
const DEVICE_URI = `palyra://${DEVICE_HOST}/`;

/** All that is taken from a request: the key that its sender has proven to hold. */
export interface CertificateRequest {
  readonly publicKeySpki: Bytes;
  /** SHA-256 of it, in hex: what operator and device compare. */
  readonly keyFingerprint: string;
}

export interface DeviceOrder {
  readonly deviceId: string;
  readonly request: CertificateRequest;
}

export interface IssuedDevice {
  /** DER. */
  readonly certificate: Bytes;
  /** SHA-256 of it, in hex. */
  readonly fingerprint: string;
  readonly authorityId: string;
  readonly notBefore: string;
  readonly notAfter: string;
}

/**
 * Reads a PKCS #10 request from anybody. Contract: INVALID_INPUT for everything but one that is
 * whole, for a P-256 key, and signed with that key. Subject and wished extensions are not looked at.
 */
export async function readRequest(der: Uint8Array): Promise<CertificateRequest> {
  if (der.length > MAX_REQUEST_BYTES) throw refused('is too long');
  if (!isOneElement(der)) throw refused('is not one DER element');
  const x509 = await loadX509();
  try {
    return await readProven(x509, Uint8Array.from(der));
  } catch (error) {
    throw error instanceof PalyraError ? error : refused('is malformed', error);
  }
}

/** Signs only: whoever orders it enters it in the registry, without which it opens nothing. */
export async function issueDevice(
  { deviceId, request }: DeviceOrder,
  authority: LiveAuthority,
  now: Date,
): Promise<IssuedDevice> {
  if (parseId(deviceId) === undefined) throw new TypeError('a device id is a ULID');
  const period = periodFrom(now, DEVICE_LIFETIME_MS, authority.certificate);
  const leaf = {
    commonName: 'Palyra device',
    publicKeySpki: request.publicKeySpki,
    usage: 'clientAuth',
    names: uriExtension(DEVICE_URI + deviceId),
    period,
  } as const;
  const certificate = await issueLeaf(leaf, authority);
  return {
    certificate: derOf(certificate),
    fingerprint: fingerprintOf(certificate),
    authorityId: authority.authorityId,
    notBefore: period.notBefore.toISOString(),
    notAfter: period.notAfter.toISOString(),
  };
}

/** Contract: `undefined` unless it bears exactly the name of one device, as Node tells names. */
export function deviceIdOf(subjectAltName: string): string | undefined {
  const prefix = `URI:${DEVICE_URI}`;
  return subjectAltName.startsWith(prefix)
    ? parseId<'device'>(subjectAltName.slice(prefix.length))
    : undefined;
}

async function readProven(x509: X509, der: Bytes): Promise<CertificateRequest> {
  const request = new x509.Pkcs10CertificateRequest(der, { berOptions: PARSER_BOUNDS });
  const publicKeySpki = p256KeyOf(Buffer.from(request.publicKey.rawData));
  if (!isSha256(request.signatureAlgorithm.hash)) throw refused('is not signed with SHA-256');
  if (!(await request.verify())) throw refused('is not signed with its own key');
  return { publicKeySpki, keyFingerprint: sha256Hex(publicKeySpki) };
}

/** What the parser found, which its types leave open. */
function isSha256(hash: unknown): boolean {
  return typeof hash === 'object' && hash !== null && 'name' in hash && hash.name === 'SHA-256';
}

function p256KeyOf(given: Buffer): Bytes {
  const key = createPublicKey({ key: given, type: 'spki', format: 'der' });
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw refused('is not for P-256');
  const canonical = key.export({ type: 'spki', format: 'der' });
  // One key, one spelling: otherwise it would have two fingerprints.
  if (!canonical.equals(given)) throw refused('has an unusual form of key');
  return Uint8Array.from(canonical);
}

/** The parser stops at the end of the first element; what follows it would go unseen. */
function isOneElement(der: Uint8Array): boolean {
  const [tag, first = 0] = der;
  if (tag !== 0x30) return false;
  if (first < 0x80) return der.length === 2 + first;
  const size = first & 0x7f;
  if (size === 0 || size > 2) return false;
  const length = der.subarray(2, 2 + size).reduce((sum, byte) => sum * 256 + byte, 0);
  return der.length === 2 + size + length;
}

function refused(what: string, cause?: unknown): PalyraError {
  return new PalyraError('INVALID_INPUT', `the certificate request ${what}`, {
    cause,
    help: 'let the Palyra client make it: PKCS #10, DER, for a P-256 key that signs it',
  });
}
