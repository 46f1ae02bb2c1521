import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { PalyraError } from '@palyra/kernel';
import { randomFrom, tempHome } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { DEVICE_ID, deviceKey, P256, testAuthorities } from './authority.fixture.ts';
import { deviceIdOf, readRequest } from './issue.ts';

describe('a certificate request', () => {
  it('gives its key and nothing else', async () => {
    const { keyPem, request } = await deviceKey();
    const read = await readRequest(request);
    expect(Object.keys(read)).toEqual(['publicKeySpki', 'keyFingerprint']);
    expect(read.publicKeySpki.length).toBe(91);
    expect(keyPem).toContain('PRIVATE KEY');
  });

  it.each([
    {
      what: 'RSA',
      algorithm: {
        name: 'RSASSA-PKCS1-v1_5',
        hash: 'SHA-256',
        modulusLength: 2048,
        publicExponent: new Uint8Array([1, 0, 1]),
      },
    },
    { what: 'P-384', algorithm: { name: 'ECDSA', namedCurve: 'P-384' } },
    { what: 'Ed25519', algorithm: { name: 'Ed25519' } },
  ])('for $what is refused', async ({ algorithm }) => {
    const { request } = await deviceKey(algorithm);
    expect(await outcomeOf(request)).toBe('INVALID_INPUT');
  });

  it('that another key signed is refused', async () => {
    const { request } = await deviceKey();
    const other = await deviceKey();
    const { publicKeySpki } = await readRequest(request);
    const { publicKeySpki: otherSpki } = await readRequest(other.request);
    const at = Buffer.from(request).indexOf(publicKeySpki);
    const forged = Uint8Array.from(request);
    forged.set(otherSpki, at);
    expect(await outcomeOf(forged)).toBe('INVALID_INPUT');
  });

  it.each([
    { what: 'nothing', bytes: () => new Uint8Array() },
    {
      what: 'a byte behind its end',
      bytes: (request: Uint8Array) => Uint8Array.from([...request, 0]),
    },
    {
      what: 'another one behind its end',
      bytes: (request: Uint8Array) => Uint8Array.from([...request, ...request]),
    },
    { what: 'its last byte missing', bytes: (request: Uint8Array) => request.subarray(0, -1) },
    {
      what: 'an open length',
      bytes: (request: Uint8Array) => Uint8Array.from([0x30, 0x80, ...request.subarray(4), 0, 0]),
    },
    { what: 'a mebibyte', bytes: () => new Uint8Array(1_048_576).fill(0x30) },
    { what: 'sequences nested as deep as fit', bytes: () => nested(4_096) },
    { what: 'a bare key in its place', bytes: () => Uint8Array.from(publicKeyDer()) },
  ])('with $what is refused', async ({ bytes }) => {
    const { request } = await deviceKey();
    expect(await outcomeOf(bytes(request))).toBe('INVALID_INPUT');
  });

  it('changed at random ends as INVALID_INPUT or with the key that signed it', async () => {
    const { request } = await deviceKey();
    const { keyFingerprint } = await readRequest(request);
    const random = randomFrom(3);
    const endings = new Set<string>();
    for (let round = 0; round < 600; round += 1) {
      endings.add(await outcomeOf(mutated(request, random)));
    }
    endings.delete(keyFingerprint);
    expect([...endings]).toEqual(['INVALID_INPUT']);
  });
});

describe('a device certificate', () => {
  it('lives 24 hours from now, and 5 minutes back for clocks that are late', async () => {
    await using home = await tempHome();
    const { authorities, clock } = await testAuthorities(home);
    const issued = await issue(authorities);
    const nowMs = Math.floor(clock.now().getTime() / 1000) * 1000;
    expect(Date.parse(issued.notBefore)).toBe(nowMs - 300_000);
    expect(Date.parse(issued.notAfter)).toBe(nowMs + 86_400_000);
    const certificate = new X509Certificate(issued.certificate);
    expect(certificate.validFromDate.toISOString()).toBe(issued.notBefore);
    expect(certificate.validToDate.toISOString()).toBe(issued.notAfter);
  });

  it('is for clients, is no authority and bears only the name of its device', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home);
    const { certificate: der, fingerprint } = await issue(authorities);
    const certificate = new X509Certificate(der);
    expect(certificate.ca).toBe(false);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(certificate.subject).toBe('CN=Palyra device');
    expect(certificate.subjectAltName).toBe(`URI:palyra://device.palyra.internal/${DEVICE_ID}`);
    expect(deviceIdOf(certificate.subjectAltName ?? '')).toBe(DEVICE_ID);
    expect(certificate.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(fingerprint);
  });

  it('has a serial number that does not repeat, of at most 128 bits', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home);
    const serials = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const { certificate } = await issue(authorities);
      serials.add(new X509Certificate(certificate).serialNumber);
    }
    expect(serials.size).toBe(20);
    expect([...serials].every((serial) => serial.length <= 32)).toBe(true);
  });

  it('never outlives its authority', async () => {
    await using home = await tempHome();
    const { authorities, clock } = await testAuthorities(home);
    clock.moveDays(3_649.5);
    const { notAfter } = await issue(authorities);
    expect(notAfter).toBe((await authorities.list())[0]?.notAfter);
  });

  it('is not made for what is no device id', async () => {
    await using home = await tempHome();
    const { authorities } = await testAuthorities(home);
    const request = await authorities.readRequest((await deviceKey()).request);
    await expect(authorities.issueDevice({ deviceId: '../x', request })).rejects.toThrow(TypeError);
  });

  it.each([
    `URI:palyra://device.palyra.internal/${DEVICE_ID}, DNS:localhost`,
    `DNS:localhost, URI:palyra://device.palyra.internal/${DEVICE_ID}`,
    `URI:palyra://other.palyra.internal/${DEVICE_ID}`,
    'URI:palyra://device.palyra.internal/',
    'URI:"palyra://device.palyra.internal/x"',
    '',
  ])('with the names `%s` is no device', (names) => {
    expect(deviceIdOf(names)).toBeUndefined();
  });
});

async function issue(authorities: Awaited<ReturnType<typeof testAuthorities>>['authorities']) {
  const { request } = await deviceKey(P256);
  return authorities.issueDevice({
    deviceId: DEVICE_ID,
    request: await authorities.readRequest(request),
  });
}

async function outcomeOf(der: Uint8Array): Promise<string> {
  try {
    return (await readRequest(der)).keyFingerprint;
  } catch (error) {
    return error instanceof PalyraError ? error.code : String(error);
  }
}

function mutated(bytes: Uint8Array, random: () => number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const changes = 1 + Math.floor(random() * 3);
  for (let change = 0; change < changes; change += 1) {
    copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  }
  return random() < 0.1 ? copy.subarray(0, Math.floor(random() * copy.length)) : copy;
}

/** From the inside out, in bytes that stand in reverse. */
function nested(limitBytes: number): Uint8Array {
  const reversed: number[] = [];
  while (reversed.length < limitBytes - 4) {
    const { length } = reversed;
    if (length < 0x80) reversed.push(length, 0x30);
    else reversed.push(length & 0xff, length >> 8, 0x82, 0x30);
  }
  return Uint8Array.from(reversed.toReversed());
}

function publicKeyDer(): Buffer {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    type: 'spki',
    format: 'der',
  });
}
