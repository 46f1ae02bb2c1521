import { once } from 'node:events';
import { type ConnectionOptions, type TLSSocket, connect } from 'node:tls';
import type { IdentityPort, PresentedCertificate } from '@palyra/gateway';
import { systemClock } from '@palyra/kernel';
import {
  type TestAuthority,
  type TestGateway,
  ownerCaller,
  quietLog,
  testAuthority,
  testGateway,
  testTransportParts,
} from '@palyra/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDoors } from '../doors.ts';

let ours: TestAuthority;
let foreign: TestAuthority;
let test: TestGateway;
let stack: AsyncDisposableStack;
beforeAll(async () => {
  const now = systemClock().now();
  ours = await testAuthority(now);
  foreign = await testAuthority(now);
  test = await testGateway();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

interface Port {
  readonly port: number;
  /** Certificates that came as far as the registry. */
  readonly asked: PresentedCertificate[];
  readonly dial: (options: ConnectionOptions) => TLSSocket;
  readonly log: ReturnType<typeof quietLog>;
}

/** The real device port, with an authority that issues whatever a test wants. */
async function devicePort(): Promise<Port> {
  const asked: PresentedCertificate[] = [];
  const credential = await ours.serverCredential();
  const { identity } = test.gateway;
  const standIn: IdentityPort = {
    ...identity,
    revision: () => 1,
    authorities: { ...identity.authorities, serverCredentials: async () => [credential] },
    access: {
      byCertificate: async (certificate) => {
        asked.push(certificate);
        return ownerCaller();
      },
      byToken: (text) => identity.access.byToken(text),
      stillToken: (text) => identity.access.stillToken(text),
      bySession: (secret) => identity.access.bySession(secret),
      standing: (principal, deviceId) => identity.access.standing(principal, deviceId),
    },
  };
  const log = quietLog();
  const gateway = { ...test.gateway, identity: standIn };
  const doors = stack.use(await openDoors({ ...testTransportParts(gateway), log }));
  const port = Number(doors.device.split(':').at(-1));
  const dial = (options: ConnectionOptions) =>
    connect({
      host: '127.0.0.1',
      port,
      ca: credential.authorityPem,
      servername: credential.serverName,
      ALPNProtocols: ['http/1.1'],
      ...options,
    }).on('error', () => {});
  return { port, asked, dial, log };
}

const HEALTH = [
  'POST /palyra.v1.HealthService/GetHealth HTTP/1.1',
  'Host: x',
  'Content-Type: application/json',
  'Content-Length: 2',
  'Connection: close',
  '',
  '{}',
].join('\r\n');

/** Everything that is answered to a call, until the connection is closed. */
async function call(socket: TLSSocket): Promise<string> {
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1');
  });
  socket.once('secureConnect', () => socket.write(HEALTH));
  if (!socket.closed) await once(socket, 'close');
  return heard;
}

describe('a certificate', () => {
  it('of ours lets a device in', async () => {
    const { dial, asked } = await devicePort();
    expect(await call(dial(await ours.issue()))).toContain('HTTP/1.1 200 OK');
    // Once for the connection and once for the request.
    expect(asked).toHaveLength(2);
    expect(asked[0]?.subjectAltName).toMatch(/^URI:palyra:\/\/device\.palyra\.internal\//);
    expect(asked[0]?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['of a foreign authority', () => foreign.issue()],
    ['that has expired', () => ours.issue({ life: 'over' })],
    ['that is not valid yet', () => ours.issue({ life: 'to-come' })],
    ['for servers', () => ours.issue({ usage: 'server' })],
    [
      'that is the server’s own',
      async () => {
        const { certificatePem, keyPem } = await ours.serverCredential();
        return { cert: certificatePem, key: keyPem };
      },
    ],
  ])('%s ends the connection before a word is answered', async (_name, make) => {
    const { dial, asked, log } = await devicePort();
    expect(await call(dial(await make()))).toBe('');
    expect(asked).toEqual([]);
    expect(log.lines).toMatchObject([{ message: 'certificate refused' }]);
  });

  it('without its own key does not get through the handshake', async () => {
    const { dial, asked } = await devicePort();
    const [one, other] = [await ours.issue(), await ours.issue()];
    expect(() => dial({ cert: one.cert, key: other.key })).toThrow();
    expect(asked).toEqual([]);
  });
});

describe('the handshake', () => {
  it.each(['TLSv1.2', 'TLSv1.1', 'TLSv1'] as const)('refuses %s', async (version) => {
    const { dial } = await devicePort();
    const { cert, key } = await ours.issue();
    const socket = dial({ cert, key, minVersion: version, maxVersion: version });
    const [error] = await once(socket, 'error');
    expect(error).toMatchObject({ code: expect.stringMatching(/^ERR_SSL_/) });
  });

  it('ends in TLS 1.3 with an authenticated cipher', async () => {
    const { dial } = await devicePort();
    const socket = dial(await ours.issue());
    await once(socket, 'secureConnect');
    expect(socket.getProtocol()).toBe('TLSv1.3');
    expect(socket.getCipher().standardName).toMatch(/GCM|POLY1305/);
    socket.destroy();
  });

  it('is never shortened: a session cannot be taken up again, with or without a certificate', async () => {
    const { dial, asked } = await devicePort();
    const certificate = await ours.issue();
    const first = dial(certificate);
    const sessions: Buffer[] = [];
    first.on('session', (session) => sessions.push(session));
    expect(await call(first)).toContain('200 OK');
    const session = sessions.at(-1);
    expect(session).toBeDefined();
    const again = dial({ ...certificate, session });
    expect(await call(again)).toContain('200 OK');
    expect(again.isSessionReused()).not.toBe(true);
    expect(await call(dial({ session }))).toContain('401 Unauthorized');
    expect(asked).toHaveLength(4);
  });

  it('knows no other protocol', async () => {
    const { dial } = await devicePort();
    const socket = dial({ ...(await ours.issue()), ALPNProtocols: ['smtp'] });
    const [error] = await once(socket, 'error');
    expect(error).toMatchObject({ code: expect.stringContaining('NO_APPLICATION_PROTOCOL') });
  });
});
