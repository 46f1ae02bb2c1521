import { callbackify } from 'node:util';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server as HttpServer,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { type Log, systemClock } from '@palyra/kernel';
import { dialOnSystem, type Destination } from '../dial.ts';
import { parseHostRules } from '../host-rule.ts';
import { createSandboxAuthority, type SandboxAuthority } from '../interception/authority.ts';
import type { MayConnect } from '../may-connect.ts';
import type { ConnectionRecord } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { LISTENER_OPTIONS, type ServedEgress, serveEgress } from './serve.ts';
import type { EgressOrder } from './start-running.ts';
import type { BoundSecret, SecretPort } from '../secrets.ts';
import type { Lookup } from '../resolve.ts';
import type { Ceilings } from '../ceilings.ts';

export interface TestProxy extends AsyncDisposable {
  readonly port: number;
  readonly served: ServedEgress;
  readonly records: readonly ConnectionRecord[];
  /** What would have been dialled, whatever it was led to. */
  readonly dialled: readonly Destination[];
  /** The records, once there are so many. */
  recorded(count: number): Promise<readonly ConnectionRecord[]>;
}

export interface TestProxyOptions {
  readonly entries: readonly string[];
  readonly secrets?: readonly BoundSecret[];
  readonly secretPort?: SecretPort;
  readonly ceilings?: Partial<Ceilings>;
  readonly lookup?: Lookup;
  /** Absent: what is dialled is dialled. Present: everything leads to this port of this machine. */
  readonly leadsTo?: number;
  readonly trusted?: readonly string[];
  /** Absent: a fault of the proxy fails the test. */
  readonly log?: 'silent';
  /** Absent: nobody but the entries decides. */
  readonly mayConnect?: MayConnect;
}

/** Public, and never dialled: `leadsTo` is. */
export const PUBLIC_ADDRESS = '93.184.216.34';

export async function startProxy(options: TestProxyOptions): Promise<TestProxy> {
  const listener = createServer(LISTENER_OPTIONS);
  const port = await listen(listener);
  const records: ConnectionRecord[] = [];
  const dialled: Destination[] = [];
  const order: EgressOrder = {
    id: 'box',
    rules: parseHostRules(options.entries),
    mayConnect: options.mayConnect ?? (async () => true),
    onRecord: (record) => {
      records.push(record);
      listener.emit('recorded');
    },
    ...(options.secrets === undefined ? {} : { secrets: options.secrets }),
    ...(options.ceilings === undefined ? {} : { ceilings: options.ceilings }),
  };
  const served = serveEgress(listener, order, {
    clock: systemClock(),
    log: options.log === 'silent' ? quietLog : failingLog,
    lookup: options.lookup ?? (() => Promise.resolve(['127.0.0.1'])),
    dial: (to, signal) => {
      dialled.push(to);
      const { leadsTo } = options;
      return dialOnSystem(
        leadsTo === undefined ? to : { address: '127.0.0.1', port: leadsTo },
        signal,
      );
    },
    trusted: options.trusted ?? [],
    ...(options.secretPort === undefined ? {} : { secretPort: options.secretPort }),
  });
  return {
    port,
    served,
    records,
    dialled,
    recorded: async (count) => {
      while (records.length < count) await once(listener, 'recorded');
      return records;
    },
    [Symbol.asyncDispose]: () => served.close(),
  };
}

/** Nothing that a sandbox does may be a fault of the proxy. */
export const failingLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (message, fields) => {
    throw new Error(`${message} ${JSON.stringify(fields)}`);
  },
  with: () => failingLog,
};

const quietLog: Log = { ...failingLog, error: () => {}, with: () => quietLog };

export interface TestOrigin extends AsyncDisposable {
  readonly port: number;
  /** What arrived: method, target, headers, body. */
  readonly requests: readonly SeenRequest[];
  /** How many connections were opened. */
  connections(): number;
}

export interface SeenRequest {
  readonly line: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

type Answer = (request: SeenRequest) => string;

/** A web server of this machine that says what it was asked. */
export async function startOrigin(
  answer: Answer = ({ line }) => `seen ${line}`,
): Promise<TestOrigin> {
  return originOf(createHttpServer(), answer);
}

export async function startTlsOrigin(
  authority: SandboxAuthority,
  answer: Answer = ({ line }) => `seen ${line}`,
): Promise<TestOrigin> {
  const server = createHttpsServer({
    SNICallback: callbackify((name: string) => authority.contextFor({ kind: 'name', name })),
  });
  return originOf(server, answer);
}

async function originOf(server: HttpServer, answer: Answer): Promise<TestOrigin> {
  const requests: SeenRequest[] = [];
  let connections = 0;
  server.on('connection', () => (connections += 1));
  server.on('request', (request, response) => {
    void bodyOf(request).then((body) => {
      const seen = { line: `${request.method} ${request.url}`, headers: request.headers, body };
      requests.push(seen);
      response.end(answer(seen));
    });
  });
  const port = await listen(server);
  return {
    port,
    requests,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    await finished(request);
  } catch {
    return '(cut off)';
  }
  return Buffer.concat(chunks).toString();
}

export function testAuthority(): Promise<SandboxAuthority> {
  return createSandboxAuthority(systemClock());
}

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = addressOf(server);
  return port;
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address;
}

export function open(port: number): Socket {
  return connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
}

/** Sends, and reads until the other side has said all. */
export async function talk(
  port: number,
  ...pieces: readonly (string | Uint8Array)[]
): Promise<string> {
  const socket = open(port);
  for (const piece of pieces) socket.write(piece);
  return restOf(socket);
}

export async function restOf(stream: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  await new Promise<void>((resolve) => stream.once('end', resolve).once('close', () => resolve()));
  stream.destroy();
  return Buffer.concat(chunks).toString('latin1');
}

/** The next bytes that come. */
export async function next(stream: Socket): Promise<Buffer> {
  const chunk = await new Promise<Buffer>((resolve) => {
    stream.once('data', resolve);
    stream.once('close', () => resolve(Buffer.alloc(0))).resume();
  });
  stream.pause();
  return chunk;
}

export async function openTunnel(proxyPort: number, authority: string): Promise<Socket> {
  const socket = open(proxyPort);
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  const answer = (await next(socket)).toString();
  if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(answer);
  return socket;
}

/** TLS through an open tunnel. */
export async function secured(socket: Socket, options: ConnectionOptions): Promise<TLSSocket> {
  const tls = connectTls({ socket, ...options });
  tls.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    tls.once('secureConnect', () => resolve());
    tls.once('close', () => reject(new Error('no handshake')));
  });
  return tls;
}

export async function refusalOf(proxy: TestProxy): Promise<Refusal | ''> {
  const [record] = await proxy.recorded(1);
  return record?.reason ?? '';
}
