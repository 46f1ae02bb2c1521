import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { P256 } from './authority.fixture.ts';
import { periodFrom } from './certificate.ts';
import { makeAuthorityCertificate, makeLeafCertificate } from './make-certificate.ts';
import { constraintsExtension, namesExtension } from './name-extensions.ts';
import { loadX509 } from './x509.ts';

const PERIOD = periodFrom(new Date('2030-01-01T00:00:00Z'), 86_400_000);
const LOCALHOST = { kind: 'dns', text: 'localhost' } as const;
const ISSUER = authority();
const LEAF = {
  commonName: 'Palyra gateway',
  publicKeySpki: Uint8Array.from(
    ISSUER.certificate.publicKey.export({ type: 'spki', format: 'der' }),
  ),
  usage: 'serverAuth',
  names: namesExtension([LOCALHOST]),
  period: PERIOD,
} as const;

describe('a certificate', () => {
  it('has a positive serial number in its shortest form', () => {
    const certificates = Array.from({ length: 600 }, () => makeLeafCertificate(LEAF, ISSUER));
    const forms = certificates.map(({ raw }) => serialIn(raw));
    expect(forms.filter(([first = 0x80]) => first >= 0x80)).toEqual([]);
    expect(forms.filter(([first, second = 0]) => first === 0 && second < 0x80)).toEqual([]);
    expect(new Set(certificates.map(({ serialNumber }) => serialNumber)).size).toBe(600);
  });

  it('is valid for exactly its period, also past 2049', () => {
    const period = periodFrom(new Date('2049-12-31T00:00:00Z'), 10 * 86_400_000);
    const { certificate } = authority(period);
    expect(certificate.validFromDate.toISOString()).toBe('2049-12-30T23:55:00.000Z');
    expect(certificate.validToDate.toISOString()).toBe('2050-01-10T00:00:00.000Z');
  });

  it('can be told by every verifier to be of the authority that signed it', () => {
    const leaf = makeLeafCertificate(LEAF, ISSUER);
    expect(leaf.subject).toBe('CN=Palyra gateway');
    expect(leaf.checkIssued(ISSUER.certificate)).toBe(true);
    expect(leaf.verify(ISSUER.certificate.publicKey)).toBe(true);
    expect(leaf.checkIssued(authority().certificate)).toBe(false);
  });

  it('can be signed by an authority that another library has made', async () => {
    const issuer = await foreignAuthority();
    const leaf = makeLeafCertificate(LEAF, issuer);
    expect(leaf.issuer).toBe('CN=Grüne Stelle');
    expect(leaf.checkIssued(issuer.certificate)).toBe(true);
    expect(leaf.verify(issuer.certificate.publicKey)).toBe(true);
  });
});

function authority(period = PERIOD) {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const draft = {
    commonName: 'Palyra authority 1',
    publicKeySpki: Uint8Array.from(keys.publicKey.export({ type: 'spki', format: 'der' })),
    constraints: constraintsExtension([LOCALHOST], 'device.palyra.internal'),
    period,
  };
  return { certificate: makeAuthorityCertificate(draft, keys.privateKey), key: keys.privateKey };
}

async function foreignAuthority() {
  const x509 = await loadX509();
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = Uint8Array.from(keys.publicKey.export({ type: 'spki', format: 'der' }));
  const made = await x509.X509CertificateGenerator.create({
    subject: 'CN=Grüne Stelle',
    issuer: 'CN=Grüne Stelle',
    ...PERIOD,
    publicKey: spki,
    signingKey: keys.privateKey.toCryptoKey(P256, false, ['sign']),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      await x509.SubjectKeyIdentifierExtension.create(spki),
    ],
  });
  const certificate = new X509Certificate(Buffer.from(made.rawData));
  return { certificate, key: keys.privateKey };
}

/** Behind the heads of certificate, content and version, which are as long in every one of ours. */
function serialIn(der: Uint8Array): Uint8Array {
  const at = 4 + 4 + 5;
  return der.subarray(at + 2, at + 2 + (der[at + 1] ?? 0));
}
