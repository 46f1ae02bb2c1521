import { createHash, webcrypto } from 'node:crypto';
import type { Bytes } from '@palyra/kernel';

/** A key that was made here and stays here, and the request that asks for its certificate. */
export interface DeviceKey {
  /** PKCS #8, PEM. */
  readonly key: string;
  /** PKCS #10, DER. */
  readonly request: Bytes;
  /** SHA-256 of the public key (SPKI), in hex: what two people compare. */
  readonly fingerprint: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export async function makeDeviceKey(): Promise<DeviceKey> {
  const pair = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const [pkcs8, spki, request] = await Promise.all([
    webcrypto.subtle.exportKey('pkcs8', pair.privateKey),
    webcrypto.subtle.exportKey('spki', pair.publicKey),
    requestFor(pair),
  ]);
  return {
    key: toPem('PRIVATE KEY', new Uint8Array(pkcs8)),
    request,
    fingerprint: createHash('sha256').update(new Uint8Array(spki)).digest('hex'),
  };
}

/** Slow to load, and only needed when a device asks for a certificate. */
async function requestFor(keys: webcrypto.CryptoKeyPair): Promise<Bytes> {
  await import('reflect-metadata');
  const { Pkcs10CertificateRequestGenerator } = await import('@peculiar/x509');
  const request = await Pkcs10CertificateRequestGenerator.create(
    { name: 'CN=palyra device', keys, signingAlgorithm: ALGORITHM },
    webcrypto,
  );
  return new Uint8Array(request.rawData);
}

export function toPem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
