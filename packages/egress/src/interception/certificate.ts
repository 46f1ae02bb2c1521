import type { KeyObject } from 'node:crypto';
import type { Host } from '../canonical-host.ts';

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface Period {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;
const NAME = 'CN=Palyra sandbox egress';

/** It finds its parts through metadata, which has to be there first. */
async function loadX509() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

/** May sign leaves and nothing else. As PEM. */
export async function authorityCertificate(keys: KeyPair, period: Period): Promise<string> {
  const x509 = await loadX509();
  const publicKey = spkiOf(keys.publicKey);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: NAME,
    issuer: NAME,
    ...period,
    publicKey,
    signingKey: signingKeyOf(keys.privateKey),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(new x509.PublicKey(publicKey)),
    ],
  });
  return certificate.toString('pem');
}

/** For one host, and for serving alone. As PEM. */
export async function leafCertificate(
  host: Host,
  { leafKey, issuer, period }: { leafKey: KeyObject; issuer: KeyPair; period: Period },
): Promise<string> {
  const x509 = await loadX509();
  const issuerKey = new x509.PublicKey(spkiOf(issuer.publicKey));
  const certificate = await x509.X509CertificateGenerator.create({
    // A name of 64 characters and more fits no common name; clients look at the other one anyway.
    subject: 'CN=host',
    issuer: NAME,
    ...period,
    publicKey: spkiOf(leafKey),
    signingKey: signingKeyOf(issuer.privateKey),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        host.kind === 'name'
          ? { type: 'dns', value: host.name }
          : { type: 'ip', value: host.address },
      ]),
      await x509.SubjectKeyIdentifierExtension.create(new x509.PublicKey(spkiOf(leafKey))),
      await x509.AuthorityKeyIdentifierExtension.create(issuerKey),
    ],
  });
  return certificate.toString('pem');
}

function spkiOf(key: KeyObject): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(key.export({ type: 'spki', format: 'der' }));
}

function signingKeyOf(key: KeyObject) {
  return key.toCryptoKey(P256, false, ['sign']);
}
