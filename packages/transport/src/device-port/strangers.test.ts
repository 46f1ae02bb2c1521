import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { PairingSecret } from '@palyra/protocol';
import { deviceClients } from '@palyra/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type House,
  type Served,
  WITHOUT_CERTIFICATE,
  askDevicePort,
  converse,
  dial,
  mintToken,
  openHouse,
  serve,
} from '../../testing/house.ts';
import { allServices } from '../connect/services.ts';
import { transportSection } from '../transport-section.ts';

const ANY_PORTS = { listen: '127.0.0.1:0', console: 'off' };

let house: House;
let stack: AsyncDisposableStack;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house[Symbol.asyncDispose]());
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

const STRANGERS = [
  '/palyra.v1.PairingService/BeginPairing',
  '/palyra.v1.PairingService/FinishPairing',
];
const METHODS = allServices().flatMap(({ typeName, methods }) =>
  methods.map(({ name }) => `/${typeName}/${name}`),
);

describe('a stranger on the device port', () => {
  it('is heard for 16 KiB a call and no further', async () => {
    const served = await serve(house, stack);
    const body = JSON.stringify({ name: 'x'.repeat(20_000) });
    const headers = { 'content-type': 'application/json' };
    const [begin = ''] = STRANGERS;
    const asked = { method: 'POST', headers, body, as: 'stranger' } as const;
    const { status, body: said } = await askDevicePort(served, begin, asked);
    expect(status).toBe(429);
    expect(said).toContain('16384 bytes');
  });

  it('may have four calls open on a connection, not as many as a device', async () => {
    const served = await serve(house, stack);
    const socket = await dial(served, { ...WITHOUT_CERTIFICATE, ALPNProtocols: ['h2'] });
    const session = connectHttp2('https://gateway', { createConnection: () => socket });
    stack.defer(() => session.destroy());
    await once(session, 'remoteSettings');
    expect(session.remoteSettings.maxConcurrentStreams).toBe(4);
  });

  it('is refused on every path in the same words, existing or not, but for the two of a pairing', async () => {
    const served = await serve(house, stack);
    const paths = [
      ...METHODS.filter((path) => !STRANGERS.includes(path)),
      '/palyra.v1.HealthService/Nothing',
      '/nowhere',
      '/',
      '/console/session',
    ];
    const answers = new Set<string>();
    for (const path of paths) {
      for (const type of ['application/json', 'application/proto']) {
        const headers = { 'content-type': type };
        const asked = { method: 'POST', headers, body: '{}', as: 'stranger' } as const;
        const { status, body } = await askDevicePort(served, path, asked);
        answers.add(`${status} ${body}`);
      }
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toMatch(/^401 .*unauthenticated/);
  });

  it('hears the same over gRPC and over streams of Connect', async () => {
    const served = await serve(house, stack);
    const socket = await dial(served, { ...WITHOUT_CERTIFICATE, ALPNProtocols: ['h2'] });
    const session = connectHttp2('https://x', { createConnection: () => socket });
    stack.defer(() => session.destroy());
    const ask = async (path: string, type: string) => {
      const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': type });
      stream.end(Buffer.from([0, 0, 0, 0, 0]));
      const [headers] = await once(stream, 'response');
      const body = await stream.setEncoding('latin1').toArray();
      return `${headers[':status']} ${headers['grpc-status']} ${body.join('')}`;
    };
    for (const type of [
      'application/grpc',
      'application/grpc-web+proto',
      'application/connect+json',
    ]) {
      const known = await ask('/palyra.v1.RunService/StartRun', type);
      expect(known).toBe(await ask('/palyra.v1.No/Such', type));
      expect(known).toMatch(/^200 (16|undefined .*unauthenticated)/s);
    }
  });

  it('may begin to pair, and is heard', async () => {
    const { device } = await serve(house, stack);
    const { pairing } = deviceClients({ ...device, certificate: '', key: '' }).grpc;
    const begun = pairing.beginPairing({ secret: PairingSecret.PIN, name: 'x', kind: 1 });
    await expect(begun).rejects.toMatchObject({ code: expect.stringMatching(/PAIRING|INVALID/) });
  });

  it('hears that we are there, whether we are ready, and no more', async () => {
    const served = await serve(house, stack);
    const as = 'stranger';
    expect(await askDevicePort(served, '/healthz', { as })).toMatchObject({
      status: 200,
      body: 'ok',
    });
    expect(await askDevicePort(served, '/readyz', { as })).toMatchObject({
      status: 200,
      body: 'ok',
    });
  });

  it('cannot make a token count without a certificate', async () => {
    const served = await serve(house, stack);
    const authorization = `Bearer ${await mintToken(house)}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const asked = { method: 'POST', headers, body: '{}', as: 'stranger' } as const;
    expect(await askDevicePort(served, '/palyra.v1.HealthService/GetHealth', asked)).toMatchObject({
      status: 401,
    });
  });

  it('in any number does not shut a device out', async () => {
    const settings = transportSection.parse({
      ...ANY_PORTS,
      max_connections: 4,
      max_strangers: 6,
      max_strangers_per_address: 4,
    });
    const served = await serve(house, stack, { settings });
    const crowd: TLSSocket[] = [];
    for (let count = 0; count < 12; count += 1) crowd.push(await dial(served, WITHOUT_CERTIFICATE));
    for (const socket of crowd) stack.defer(() => void socket.destroy());
    // Half a handshake holds a place too, until it takes too long.
    for (let count = 0; count < 80; count += 1) {
      const silent = connect(served.port, '127.0.0.1').on('error', () => {});
      stack.defer(() => void silent.destroy());
    }
    expect((await served.grpc.health.getHealth({})).activeRuns).toBe(0);
    const left = crowd.filter((socket) => !socket.destroyed && socket.readable);
    expect(left.length).toBeLessThanOrEqual(4);
  });
});

describe('a device', () => {
  const CALL = '/palyra.v1.HealthService/GetHealth';

  it.each([
    ['an origin', { origin: 'https://evil.example' }],
    ['the origin of a page of this machine', { origin: 'http://localhost:7142' }],
    ['a cookie', { cookie: 'palyra_session_7142=abc' }],
  ])('that sends %s along carries somebody else, and is refused', async (_name, extra) => {
    const served = await serve(house, stack);
    const headers = { 'content-type': 'application/json', ...extra };
    const { status, body } = await askDevicePort(served, CALL, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(status).toBe(403);
    expect(body).toContain('permission_denied');
  });

  it('acts as the token that it shows beside its certificate', async () => {
    const served = await serve(house, stack);
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${await mintToken(house)}`,
    };
    const ask = (path: string) =>
      askDevicePort(served, path, { method: 'POST', headers, body: '{}' });
    const { body } = await ask('/palyra.v1.IdentityService/GetCaller');
    expect(JSON.parse(body)).toMatchObject({
      kind: 'PRINCIPAL_KIND_TOKEN',
      permissions: ['PERMISSION_OBSERVABILITY_READ'],
    });
    expect(await ask('/palyra.v1.RunService/ListRuns')).toMatchObject({ status: 403 });
    expect(await ask('/palyra.v1.DeviceService/ListDevices')).toMatchObject({ status: 403 });
  });

  it.each(['Basic abc', 'Bearer pal_unknown', 'Bearer x', ''])(
    'is refused with the authorization `%s`, rather than taken for itself',
    async (authorization) => {
      const served = await serve(house, stack);
      const headers = { 'content-type': 'application/json', authorization };
      const answer = await askDevicePort(served, CALL, { method: 'POST', headers, body: '{}' });
      expect(answer.status).toBe(401);
    },
  );

  it('is told of a frame that cannot be one, and nothing happens', async () => {
    const served: Served = await serve(house, stack);
    const socket = await dial(served, { ALPNProtocols: ['h2'] });
    const garbage = `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${'\u00ff'.repeat(64)}`;
    socket.write(garbage, 'latin1');
    await converse(socket, '');
    expect((await served.grpc.health.getHealth({})).activeRuns).toBe(0);
  });
});
