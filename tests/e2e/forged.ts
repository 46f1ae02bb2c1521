import 'reflect-metadata';
import { createPrivateKey, generateKeyPairSync, webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Gateway } from '@palyra/gateway';
import type { TempHome } from '@palyra/testkit';
import { systemClock } from '@palyra/kernel';
import * as x509 from '@peculiar/x509';

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SHA256 = { name: 'ECDSA', hash: 'SHA-256' } as const;
const HOUR_MS = 3_600_000;

/** Certificate and key, PEM, as `tls.connect` takes them. */
export interface Forgery {
  readonly cert: string;
  readonly key: string;
}

export interface ForgedLeaf {
  /** Device ids of the names that it bears. */
  readonly devices: readonly string[];
  readonly usages?: readonly ('client' | 'server')[];
  /** From and until, in hours from now. */
  readonly life?: readonly [number, number];
}

/** Whoever has the key of an authority: signs what the gateway never would. */
export interface Forger {
  readonly certificate: x509.X509Certificate;
  issue(leaf: ForgedLeaf): Promise<Forgery>;
  /** An authority below this one. Its certificates come with the chain that leads up here. */
  below(): Promise<Forger>;
  /** Itself as a client. */
  readonly own: Forgery;
}

export interface AuthorityKey {
  readonly certificate: x509.X509Certificate;
  readonly keyPem: string;
}

/** The real authority of a gateway, with its real key, as somebody who has read its disk. */
export async function stolenAuthority(home: TempHome, gateway: Gateway): Promise<AuthorityKey> {
  const [active] = await gateway.identity.authorities.list();
  if (active === undefined) throw new Error('there is no authority');
  const file = (name: string) => readFile(join(home.places.keysDir, name), 'utf8');
  const passphrase = (await file('identity.passphrase')).trim();
  const sealed = await file(`authority-${active.authorityId}.key`);
  const key = createPrivateKey({ key: sealed, format: 'pem', passphrase });
  return {
    certificate: new x509.X509Certificate(Uint8Array.from(active.certificate)),
    keyPem: key.export({ type: 'pkcs8', format: 'pem' }),
  };
}

/** An authority of somebody else, made to look like the given one: same name, same extensions. */
export async function likeness(real: x509.X509Certificate): Promise<AuthorityKey> {
  const pair = makePair();
  const certificate = await x509.X509CertificateGenerator.create({
    subject: real.subjectName,
    issuer: real.subjectName,
    notBefore: real.notBefore,
    notAfter: real.notAfter,
    publicKey: pair.spki,
    signingKey: await signingKey(pair.keyPem),
    signingAlgorithm: SHA256,
    extensions: real.extensions,
  });
  return { certificate, keyPem: pair.keyPem };
}

export function forger({ certificate, keyPem }: AuthorityKey, chain = ''): Forger {
  return {
    certificate,
    own: { cert: certificate.toString('pem'), key: keyPem },
    async issue(leaf) {
      const pair = makePair();
      const made = await sign({ certificate, keyPem }, leaf, pair.spki);
      return { cert: `${made.toString('pem')}\n${chain}`, key: pair.keyPem };
    },
    async below() {
      const pair = makePair();
      const made = await x509.X509CertificateGenerator.create({
        subject: 'CN=Palyra authority below',
        issuer: certificate.subjectName,
        ...lifeOf([-1, 24]),
        publicKey: pair.spki,
        signingKey: await signingKey(keyPem),
        signingAlgorithm: SHA256,
        extensions: [
          new x509.BasicConstraintsExtension(true, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
        ],
      });
      return forger(
        { certificate: made, keyPem: pair.keyPem },
        `${made.toString('pem')}\n${chain}`,
      );
    },
  };
}

/** A certificate that nobody but its own key has signed. */
export async function selfMade(deviceId: string): Promise<Forgery> {
  const pair = makePair();
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=Palyra device',
    issuer: 'CN=Palyra device',
    ...lifeOf([-1, 24]),
    publicKey: pair.spki,
    signingKey: await signingKey(pair.keyPem),
    signingAlgorithm: SHA256,
    extensions: extensionsOf({ devices: [deviceId] }),
  });
  return { cert: certificate.toString('pem'), key: pair.keyPem };
}

/** PKCS #10, DER, for a key of its own. */
export async function certificateRequest(): Promise<Uint8Array> {
  const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']);
  const request = await x509.Pkcs10CertificateRequestGenerator.create(
    { name: 'CN=palyra device', keys, signingAlgorithm: SHA256 },
    webcrypto,
  );
  return new Uint8Array(request.rawData);
}

async function sign(issuer: AuthorityKey, leaf: ForgedLeaf, publicKey: Uint8Array<ArrayBuffer>) {
  return await x509.X509CertificateGenerator.create({
    subject: 'CN=Palyra device',
    issuer: issuer.certificate.subjectName,
    ...lifeOf(leaf.life ?? [-1, 24]),
    publicKey,
    signingKey: await signingKey(issuer.keyPem),
    signingAlgorithm: SHA256,
    extensions: [
      ...extensionsOf(leaf),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey),
    ],
  });
}

function extensionsOf({ devices, usages = ['client'] }: ForgedLeaf): x509.Extension[] {
  const { clientAuth, serverAuth } = x509.ExtendedKeyUsage;
  const oids = usages.map((usage) => (usage === 'client' ? clientAuth : serverAuth));
  const names = devices.map((id) => ({
    type: 'url' as const,
    value: `palyra://device.palyra.internal/${id}`,
  }));
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    ...(oids.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension(oids, true)]),
    new x509.SubjectAlternativeNameExtension(names),
  ];
}

function lifeOf([from, until]: readonly [number, number]) {
  const at = (hours: number) => new Date(systemClock().now().getTime() + hours * HOUR_MS);
  return { notBefore: at(from), notAfter: at(until) };
}

function makePair() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    spki: Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' })),
  };
}

async function signingKey(keyPem: string) {
  return createPrivateKey(keyPem).toCryptoKey(P256, false, ['sign']);
}

/** What counts of a certificate beside its names: who may use it for what, and how firmly that is said. */
export function certificateFacts(der: Uint8Array) {
  const certificate = new x509.X509Certificate(Uint8Array.from(der));
  const basic = certificate.getExtension(x509.BasicConstraintsExtension);
  const { signatureAlgorithm } = certificate;
  const length = basic?.ca === true ? `length ${basic.pathLength}` : 'no';
  const constraints = certificate.getExtension('2.5.29.30');
  return {
    signature: `${nameIn(signatureAlgorithm)} ${nameIn(signatureAlgorithm.hash)}`,
    authority: `${length}${basic?.critical === true ? ', critical' : ''}`,
    usages: x509.KeyUsageFlags[certificate.getExtension(x509.KeyUsagesExtension)?.usages ?? 0],
    purposes: certificate.getExtension(x509.ExtendedKeyUsageExtension)?.usages.map(purposeOf),
    constraints: constraints === null ? 'none' : constraints.critical ? 'critical' : 'not critical',
  };
}

/** The parser's types leave open what it finds. */
function nameIn(algorithm: unknown): string {
  const isNamed = typeof algorithm === 'object' && algorithm !== null && 'name' in algorithm;
  return isNamed ? String(algorithm.name) : '';
}

function purposeOf(oid: unknown): string {
  const known = Object.entries(x509.ExtendedKeyUsage).find(([, value]) => value === oid);
  return known?.[0] ?? String(oid);
}
