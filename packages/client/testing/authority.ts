import { createHash, webcrypto } from 'node:crypto';
import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

export interface Life {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export interface KeyedCertificate {
  readonly certificate: string;
  readonly der: Uint8Array<ArrayBuffer>;
  readonly key: string;
}

/** A certificate authority as small as it can be, for tests. */
export interface TestAuthority {
  readonly der: Uint8Array<ArrayBuffer>;
  readonly pem: string;
  readonly id: string;
  readonly fingerprint: string;
  readonly serverName: string;
  server(): Promise<KeyedCertificate>;
  device(life?: Life): Promise<KeyedCertificate>;
  /** For the key in a PKCS #10 request. */
  sign(request: Uint8Array<ArrayBuffer>, life?: Life): Promise<Uint8Array<ArrayBuffer>>;
}

export function lifeOf(days: number): Life {
  const now = Date.now();
  return { notBefore: new Date(now - 60_000), notAfter: new Date(now + days * DAY_MS) };
}

export async function makeAuthority(): Promise<TestAuthority> {
  const keys = await makeKeys();
  const own = await selfSigned(keys);
  const der = new Uint8Array(own.rawData);
  const fingerprint = createHash('sha256').update(der).digest('hex');
  const id = fingerprint.slice(0, 32);
  const serverName = `${id}.palyra.internal`;
  const keyed = async (request: Omit<IssueRequest, 'publicKey'>): Promise<KeyedCertificate> => {
    const pair = await makeKeys();
    const issued = await issue(own, keys, { ...request, publicKey: pair.publicKey });
    return {
      certificate: issued.toString('pem'),
      der: new Uint8Array(issued.rawData),
      key: await keyPem(pair),
    };
  };
  const server = { subject: 'CN=gateway', usage: SERVER_AUTH, life: lifeOf(1) };
  return {
    der,
    pem: own.toString('pem'),
    id,
    fingerprint,
    serverName,
    server: () => keyed({ ...server, name: { type: 'dns', value: serverName } }),
    device: (life = lifeOf(1)) => keyed({ ...DEVICE, life }),
    async sign(request, life = lifeOf(1)) {
      const wanted = await new Pkcs10CertificateRequest(request).publicKey.export(webcrypto);
      const issued = await issue(own, keys, { ...DEVICE, publicKey: wanted, life });
      return new Uint8Array(issued.rawData);
    },
  };
}

async function selfSigned(keys: webcrypto.CryptoKeyPair): Promise<X509Certificate> {
  const extensions = [
    new BasicConstraintsExtension(true, 0, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
  ];
  return await X509CertificateGenerator.createSelfSigned(
    { name: 'CN=test authority', keys, ...lifeOf(10), signingAlgorithm: ALGORITHM, extensions },
    webcrypto,
  );
}

async function issue(
  authority: X509Certificate,
  { privateKey }: webcrypto.CryptoKeyPair,
  { subject, usage, name, publicKey, life }: IssueRequest,
): Promise<X509Certificate> {
  const extensions = [
    new ExtendedKeyUsageExtension([usage]),
    new SubjectAlternativeNameExtension([name]),
    await AuthorityKeyIdentifierExtension.create(authority, false, webcrypto),
  ];
  const issuer = { issuer: authority.subject, signingKey: privateKey, signingAlgorithm: ALGORITHM };
  return await X509CertificateGenerator.create(
    { subject, publicKey, ...issuer, ...life, extensions },
    webcrypto,
  );
}

interface IssueRequest {
  readonly subject: string;
  readonly usage: string;
  readonly name: { readonly type: 'dns' | 'url'; readonly value: string };
  readonly publicKey: webcrypto.CryptoKey;
  readonly life: Life;
}

const DEVICE = {
  subject: 'CN=device',
  usage: CLIENT_AUTH,
  name: { type: 'url', value: 'palyra://device.palyra.internal/01TEST' },
} as const;

async function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function keyPem({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  const der = new Uint8Array(await webcrypto.subtle.exportKey('pkcs8', privateKey));
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
}
