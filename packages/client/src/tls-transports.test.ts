import { once } from 'node:events';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { verifies } from '@palyra/testkit';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type TestAuthority, lifeOf, makeAuthority } from '../testing/authority.ts';
import { type TestGateway, startGateway } from '../testing/gateway.ts';
import { createClient } from './client.ts';
import { type TlsGateway, grpcOverTls, httpOverTls } from './tls-transports.ts';

let authority: TestAuthority;
let stranger: TestAuthority;
const opened: AsyncDisposable[] = [];

beforeAll(async () => {
  [authority, stranger] = await Promise.all([makeAuthority(), makeAuthority()]);
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
});

async function gateway(options: Partial<Parameters<typeof startGateway>[0]> = {}) {
  const started = await startGateway({ authority, devicesOf: authority, ...options });
  opened.push(started);
  return started;
}

async function plainServer(onSocket: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(onSocket).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({ [Symbol.asyncDispose]: async () => void server.close() });
  return `127.0.0.1:${portOf(server.address())}`;
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function deviceFor(address: string, issuer = authority, days = 1): Promise<TlsGateway> {
  const { certificate, key } = await issuer.device(lifeOf(days));
  return {
    address,
    serverName: authority.serverName,
    authorities: [authority.pem],
    certificate,
    key,
  };
}

const WIRES = [
  ['gRPC', grpcOverTls],
  ['HTTP', httpOverTls],
] as const;

describe.each(WIRES)('%s over TLS', (_name, over) => {
  it('answers a device that the gateway knows', async () => {
    const { address } = await gateway();
    const client = createClient(over(await deviceFor(address)));
    expect((await client.health.getHealth({})).version).toBe('0.1.0');
  });

  it('says that nobody listens', async () => {
    const address = await plainServer((socket) => socket.destroy());
    for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
    const client = createClient(over(await deviceFor(address)));
    await expect(client.health.getHealth({})).rejects.toMatchObject({
      code: 'DAEMON_UNREACHABLE',
      message: `no gateway answers on \`${address}\``,
    });
  });

  it(
    'does not speak to a server of another authority',
    verifies('client:gateway-verified'),
    async () => {
      const { address, calls } = await gateway({ authority: stranger, devicesOf: authority });
      const client = createClient(over(await deviceFor(address)));
      await expect(client.health.getHealth({})).rejects.toMatchObject({
        code: 'GATEWAY_UNTRUSTED',
      });
      expect(calls).not.toContain('health');
    },
  );

  it(
    'does not speak to a server of its authority under another name',
    verifies('client:gateway-verified'),
    async () => {
      const { address } = await gateway();
      const device = await deviceFor(address);
      const client = createClient(over({ ...device, serverName: stranger.serverName }));
      await expect(client.health.getHealth({})).rejects.toMatchObject({
        code: 'GATEWAY_UNTRUSTED',
      });
    },
  );

  it(
    'does not take something that speaks no TLS for a gateway',
    verifies('client:gateway-verified'),
    async () => {
      const address = await plainServer((socket) => {
        socket.on('error', () => socket.destroy());
        socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
      });
      const client = createClient(over(await deviceFor(address)));
      await expect(client.health.getHealth({})).rejects.toMatchObject({
        code: 'GATEWAY_UNTRUSTED',
      });
    },
  );

  it.each([
    ['of another authority', () => stranger, 1],
    ['that has expired', () => authority, -1 / 86_400],
  ])('reads a connection that ends at a certificate %s as not paired', async (_, issuer, days) => {
    const { address } = await gateway();
    const client = createClient(over(await deviceFor(address, issuer(), days)));
    await expect(client.health.getHealth({})).rejects.toMatchObject({ code: 'NOT_PAIRED' });
  });

  it('reads a bare end before the first byte as not paired', async () => {
    const { certificate: cert, key } = await authority.server();
    const server = createTlsServer(
      { cert, key, minVersion: 'TLSv1.3', ALPNProtocols: ['h2', 'http/1.1'] },
      (socket) => socket.end(),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    opened.push({ [Symbol.asyncDispose]: async () => void server.close() });
    const client = createClient(over(await deviceFor(`127.0.0.1:${portOf(server.address())}`)));
    await expect(client.health.getHealth({})).rejects.toMatchObject({ code: 'NOT_PAIRED' });
  });

  it('counts a daemon that never answers as unreachable when the deadline has passed', async () => {
    const address = await plainServer(() => {});
    const client = createClient(over(await deviceFor(address)));
    await expect(client.health.getHealth({}, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'DAEMON_UNREACHABLE',
      message: 'the daemon does not answer',
    });
  });

  it('says that the connection broke off when the gateway goes away in between', async () => {
    const started: TestGateway = await gateway();
    const client = createClient(over(await deviceFor(started.address)));
    await client.health.getHealth({});
    await started[Symbol.asyncDispose]();
    opened.length = 0;
    await expect(client.health.getHealth({})).rejects.toMatchObject({ code: 'DAEMON_UNREACHABLE' });
  });
});

describe('gRPC over TLS', () => {
  it('makes all calls on one connection', async () => {
    const { address, calls } = await gateway();
    const client = createClient(grpcOverTls(await deviceFor(address)));
    await Promise.all([1, 2, 3].map(() => client.health.getHealth({})));
    expect(calls.filter((call) => call === 'connection')).toHaveLength(1);
  });
});
