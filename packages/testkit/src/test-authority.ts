import { createHash, webcrypto } from 'node:crypto';
import type { ServerCredential } from '@palyra/gateway';

/** A certificate and its key, PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateWish {
  readonly usage?: 'client' | 'server';
  readonly life?: 'now' | 'over' | 'to-come';
  readonly names?: readonly TestName[];
}

export interface TestName {
  readonly type: 'dns' | 'url';
  readonly value: string;
}

/** An authority that issues whatever a test asks for, also what a real one never would. */
export interface TestAuthority {
  issue(wish?: CertificateWish): Promise<TestCertificate>;
  /** What a device port answers with that trusts this authority. */
  serverCredential(): Promise<ServerCredential>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const USAGES = { client: '1.3.6.1.5.5.7.3.2', server: '1.3.6.1.5.5.7.3.1' } as const;
const DEVICE_NAME: TestName = {
  type: 'url',
  value: 'palyra://device.palyra.internal/01JZ8Q6Y7D0M3W5K9RB2XN4TFC',
};

/** Contract: the clock of the machine counts, because TLS looks at no other. */
export async function testAuthority(now: Date): Promise<TestAuthority> {
  const x509 = await loadX509();
  const keys = await makeKeys();
  const own = await selfSigned(x509, keys, now);
  const authorityId = sha256(own.rawData).toString('hex').slice(0, 32);
  const serverName = `${authorityId}.palyra.internal`;
  const issue = (wish: CertificateWish = {}) => issueFrom({ x509, own, keys, now }, wish);
  return {
    issue,
    async serverCredential() {
      const names = [{ type: 'dns', value: serverName }] as const;
      const { cert, key } = await issue({ usage: 'server', names });
      return {
        authorityId,
        serverName,
        certificatePem: cert,
        keyPem: key,
        authorityPem: own.toString('pem'),
        fingerprint: new Uint8Array(sha256(x509.PemConverter.decodeFirst(cert))),
      };
    },
  };
}

/** Only when it is needed: every test imports this package and few make certificates. */
async function loadX509() {
  await import('reflect-metadata');
  return await import('@peculiar/x509');
}

type X509 = Awaited<ReturnType<typeof loadX509>>;

interface Issuer {
  readonly x509: X509;
  readonly own: Awaited<ReturnType<typeof selfSigned>>;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly now: Date;
}

async function selfSigned(x509: X509, keys: webcrypto.CryptoKeyPair, now: Date) {
  const extensions = [
    new x509.BasicConstraintsExtension(true, 0, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
  ];
  const life = lifeOf('now', now);
  return await x509.X509CertificateGenerator.createSelfSigned(
    { name: 'CN=test authority', keys, ...life, signingAlgorithm: ALGORITHM, extensions },
    webcrypto,
  );
}

async function issueFrom(
  { x509, own, keys, now }: Issuer,
  { usage = 'client', life = 'now', names = [DEVICE_NAME] }: CertificateWish,
): Promise<TestCertificate> {
  const pair = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.create(
    {
      subject: 'CN=test',
      issuer: own.subject,
      publicKey: pair.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: ALGORITHM,
      ...lifeOf(life, now),
      extensions: [
        new x509.ExtendedKeyUsageExtension([USAGES[usage]]),
        new x509.SubjectAlternativeNameExtension(names.map((name) => ({ ...name }))),
      ],
    },
    webcrypto,
  );
  const key = await webcrypto.subtle.exportKey('pkcs8', pair.privateKey);
  return {
    cert: certificate.toString('pem'),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  };
}

function sha256(bytes: ArrayBuffer): Buffer {
  return createHash('sha256').update(new Uint8Array(bytes)).digest();
}

const HOUR_MS = 3_600_000;

function lifeOf(life: 'now' | 'over' | 'to-come', now: Date) {
  const at = (hours: number) => new Date(now.getTime() + hours * HOUR_MS);
  switch (life) {
    case 'now':
      return { notBefore: at(-1), notAfter: at(24) };
    case 'over':
      return { notBefore: at(-25), notAfter: at(-1) };
    case 'to-come':
      return { notBefore: at(1), notAfter: at(24) };
  }
}

async function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
