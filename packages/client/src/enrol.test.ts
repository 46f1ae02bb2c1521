import { X509Certificate, createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { DeviceKind } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestAuthority, makeAuthority } from '../testing/authority.ts';
import { type TestGateway, type TestGatewayOptions, startGateway } from '../testing/gateway.ts';
import { createClient } from './client.ts';
import { serverNameOf } from './device-identity.ts';
import { type EnrolmentSecret, type WaitingDevice, enrol } from './enrol.ts';
import { grpcOverTls } from './tls-transports.ts';

const PIN = '123456';
const TOKEN = 'T'.repeat(43);

let authority: TestAuthority;
let foreign: TestAuthority;
const opened: AsyncDisposable[] = [];
const abort = new AbortController();

beforeAll(async () => {
  [authority, foreign] = await Promise.all([makeAuthority(), makeAuthority()]);
});
let gateway: TestGateway;
beforeEach(async () => {
  gateway = await start({});
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
});

async function start(options: Partial<TestGatewayOptions>): Promise<TestGateway> {
  const started = await startGateway({ authority, ...options });
  opened.push(started);
  return started;
}

function pairWith(
  address: string,
  secret: EnrolmentSecret,
  onWaiting?: (w: WaitingDevice) => void,
) {
  const device = { name: 'laptop', kind: DeviceKind.CLI, signal: abort.signal };
  return enrol({ address, secret, ...device, ...(onWaiting && { onWaiting }) });
}

const withPin: EnrolmentSecret = { kind: 'pin', pin: PIN };
const withLink = (authorityFingerprint: string): EnrolmentSecret => ({
  kind: 'link',
  pairingId: '01M7GKAN0GHXDX7M3XJGJQ57D3',
  token: TOKEN,
  authorityFingerprint,
});

describe('enrolling with a PIN', () => {
  it('gives a certificate for a key that was made here', async () => {
    gateway.passwords.add(PIN);
    const waits: WaitingDevice[] = [];
    const enrolled = await pairWith(gateway.address, withPin, (waiting) => waits.push(waiting));
    const { credential, deviceId, keyFingerprint } = enrolled;
    const certificate = new X509Certificate(credential.certificate);
    expect(deviceId).toBe('01TEST');
    expect(certificate.checkPrivateKey(createPrivateKey(credential.key))).toBe(true);
    expect(credential.authorityId).toBe(authority.id);
    expect(waits).toEqual([
      { pairingId: 'pairing', expiresAt: '2026-01-01T00:05:00.000Z', keyFingerprint },
    ]);
    const serverName = serverNameOf(credential.authorityId);
    const client = createClient(
      grpcOverTls({ ...credential, address: gateway.address, serverName }),
    );
    expect((await client.health.getHealth({})).version).toBe('0.1.0');
  });

  it('makes both calls on one connection', async () => {
    gateway.passwords.add(PIN);
    await pairWith(gateway.address, withPin);
    expect(gateway.calls).toEqual(['connection', 'begin', 'distant', 'finish']);
  });

  it('stops after the first message when the PIN is wrong', async () => {
    gateway.passwords.add('654321');
    const pairing = pairWith(gateway.address, withPin);
    await expect(pairing).rejects.toMatchObject({ code: 'PAIRING_REFUSED' });
    expect(gateway.calls).not.toContain('finish');
  });

  it(
    'fails when somebody stands in between, even one who passes every byte on',
    verifies('pairing:no-middle'),
    async () => {
      gateway.passwords.add(PIN);
      const address = await middleman(gateway.address);
      await expect(pairWith(address, withPin)).rejects.toMatchObject({ code: 'PAIRING_REFUSED' });
      expect(gateway.calls).not.toContain('finish');
    },
  );

  it('believes no authority that does not come with the proof', async () => {
    const liar = await start({ claims: foreign });
    liar.passwords.add(PIN);
    const pairing = pairWith(liar.address, withPin);
    await expect(pairing).rejects.toMatchObject({ code: 'PAIRING_REFUSED' });
  });

  it('passes on why the gateway said no', async () => {
    await expect(pairWith(gateway.address, withPin)).rejects.toMatchObject({
      code: 'PAIRING_ENDED',
      message: 'no pairing waits',
    });
  });

  it('says that nobody listens', async () => {
    const [{ address }] = [gateway];
    await gateway[Symbol.asyncDispose]();
    opened.length = 0;
    await expect(pairWith(address, withPin)).rejects.toMatchObject({ code: 'DAEMON_UNREACHABLE' });
  });

  it('can be taken back while it waits for a person', async () => {
    const leaving = new AbortController();
    const never = await start({ confirms: () => new Promise(() => {}) });
    never.passwords.add(PIN);
    const pairing = enrol({
      address: never.address,
      secret: withPin,
      name: 'laptop',
      kind: DeviceKind.CLI,
      signal: leaving.signal,
      onWaiting: () => leaving.abort(),
    });
    await expect(pairing).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('enrolling with a link', () => {
  it('works with the gateway that the link names', async () => {
    gateway.passwords.add(TOKEN);
    const { credential } = await pairWith(gateway.address, withLink(authority.fingerprint));
    expect(credential.authorityId).toBe(authority.id);
  });

  it(
    'fails with any other authority, even for the right token',
    verifies('pairing:no-middle', 'client:gateway-verified'),
    async () => {
      gateway.passwords.add(TOKEN);
      const pairing = pairWith(gateway.address, withLink(foreign.fingerprint));
      await expect(pairing).rejects.toMatchObject({ code: 'GATEWAY_UNTRUSTED' });
    },
  );
});

describe('enrolling on the gateway itself', () => {
  const secretFor = ({ der }: TestAuthority): EnrolmentSecret => ({
    kind: 'local',
    secret: TOKEN,
    authorities: [Buffer.from(der).toString('base64')],
  });

  it('works with the secret of the door', async () => {
    gateway.passwords.add(TOKEN);
    const { deviceId } = await pairWith(gateway.address, secretFor(authority));
    expect(deviceId).toBe('01TEST');
    expect(gateway.calls).toContain('local');
  });

  it(
    'tells nothing to a server of another authority',
    verifies('client:gateway-verified'),
    async () => {
      gateway.passwords.add(TOKEN);
      const pairing = pairWith(gateway.address, secretFor(foreign));
      await expect(pairing).rejects.toMatchObject({ code: 'GATEWAY_UNTRUSTED' });
      expect(gateway.calls).not.toContain('begin');
    },
  );
});

/** Ends TLS with a certificate of its own and opens another one to the real gateway. */
async function middleman(target: string): Promise<string> {
  const { certificate: cert, key } = await foreign.server();
  const [host = '', port = ''] = target.split(':');
  const server = createTlsServer({ cert, key, ALPNProtocols: ['h2'] }, (inner) => {
    const outer = connectTls({
      host,
      port: Number(port),
      rejectUnauthorized: false,
      ALPNProtocols: ['h2'],
    });
    for (const socket of [inner, outer]) socket.on('error', () => socket.destroy());
    inner.pipe(outer).pipe(inner);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({ [Symbol.asyncDispose]: async () => void server.close() });
  const address: AddressInfo | string | null = server.address();
  return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}
