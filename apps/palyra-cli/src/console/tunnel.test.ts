import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer, request } from 'node:http';
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Tunnel, endToEnd, openTunnel } from './tunnel.ts';

let gateway: Server;
let seen: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];
const tunnels: Tunnel[] = [];

beforeEach(async () => {
  seen = [];
  gateway = createServer((asked, answer) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.once('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      seen.push({ url: asked.url ?? '', headers: asked.headers, body });
      answer.writeHead(201, ['set-cookie', 'a=1', 'set-cookie', 'b=2']).end(`heard ${body}`);
    });
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
});
afterEach(async () => {
  for (const tunnel of tunnels.splice(0)) await tunnel[Symbol.asyncDispose]();
  gateway.close();
});

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function open(port = 0): Promise<{ readonly port: number; readonly origin: string }> {
  const dial = () => connect(portOf(gateway.address()), '127.0.0.1');
  const tunnel = await openTunnel(dial, port);
  tunnels.push(tunnel);
  return { origin: tunnel.origin, port: Number(new URL(tunnel.origin).port) };
}

interface Asked {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly host?: string;
}

async function askFor({ port, headers, body, host = '127.0.0.1' }: Asked) {
  const method = body === undefined ? 'GET' : 'POST';
  const asking = request({ host, port, method, path: '/x?y=1', headers, agent: false });
  asking.end(body);
  const [answer]: IncomingMessage[] = await once(asking, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer ?? []) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: answer?.statusCode, headers: answer?.headers, text };
}

describe('the tunnel to a distant console', () => {
  it('carries requests and answers as they are', async () => {
    const { port, origin } = await open();
    const headers = { host: `localhost:${port}`, origin, cookie: 'c=1' };
    const answer = await askFor({ port, headers, body: 'hello' });
    expect(answer).toMatchObject({ status: 201, text: 'heard hello' });
    expect(answer.headers?.['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(seen).toMatchObject([{ url: '/x?y=1', body: 'hello', headers }]);
  });

  it.each(['evil.example', 'localhost', 'localhost:1', '127.0.0.1:PORT', 'LOCALHOST:PORT'])(
    'refuses a request for the host `%s`',
    async (host) => {
      const { port } = await open();
      const answer = await askFor({ port, headers: { host: host.replace('PORT', `${port}`) } });
      expect(answer.status).toBe(403);
      expect(seen).toEqual([]);
    },
  );

  it('listens on loopback alone, on both of its addresses', async () => {
    const { port } = await open();
    const headers = { host: `localhost:${port}` };
    expect((await askFor({ port, headers, host: '::1' })).status).toBe(201);
    const taken = createNetServer().listen(port, '127.0.0.1');
    const [error]: NodeJS.ErrnoException[] = await once(taken, 'error');
    expect(error?.code).toBe('EADDRINUSE');
  });

  it('does not share a port with somebody else on the other loopback address', async () => {
    const other = createNetServer().listen(0, '::1');
    await once(other, 'listening');
    await expect(open(portOf(other.address()))).rejects.toMatchObject({ code: 'ADDRESS_UNUSABLE' });
    other.close();
  });

  it('says so when the gateway does not answer', async () => {
    const { port } = await open();
    gateway.close();
    gateway.closeAllConnections();
    const answer = await askFor({ port, headers: { host: `localhost:${port}` } });
    expect(answer).toMatchObject({ status: 502, text: 'no gateway answers\n' });
  });

  it('keeps what concerns one connection from the other', () => {
    const raw = [
      'Host',
      'x',
      'Connection',
      'close',
      'Upgrade',
      'h2c',
      'Cookie',
      'a',
      'cookie',
      'b',
    ];
    expect(endToEnd(raw)).toEqual(['Host', 'x', 'Cookie', 'a', 'cookie', 'b']);
  });
});
