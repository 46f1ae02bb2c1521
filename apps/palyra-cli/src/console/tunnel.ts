import {
  Agent,
  type ClientRequestArgs,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
  request as httpRequest,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { PalyraError } from '@palyra/kernel';

/** A browser opens six connections to one host; the rest is for more windows. */
const MAX_CONNECTIONS = 64;
const MAX_PORT_TRIES = 8;

/** Opens one connection to the gateway, on which the certificate alone allows nothing. */
export type DialConsole = () => Duplex;

export interface Tunnel extends AsyncDisposable {
  /** `http://localhost:PORT` */
  readonly origin: string;
}

/**
 * Carries a browser of this machine to the console of a distant gateway. INVARIANT: listens on
 * loopback alone, on both of its addresses, so that nobody else can be `localhost` on this port.
 */
export async function openTunnel(dial: DialConsole, port: number): Promise<Tunnel> {
  const agent = new DialAgent(dial);
  for (let tries = 1; ; tries += 1) {
    const tunnel = await listenOnBoth(agent, port);
    if (tunnel !== undefined) return tunnel;
    if (port !== 0 || tries >= MAX_PORT_TRIES) throw taken(port);
  }
}

/** Contract: `undefined` when somebody else has the port on one of the two addresses. */
async function listenOnBoth(agent: Agent, port: number): Promise<Tunnel | undefined> {
  const host = { name: '' };
  const make = () => {
    const server = createServer((request, response) => carry({ request, response, agent, host }));
    server.maxConnections = MAX_CONNECTIONS;
    return server;
  };
  const [first, second] = [make(), make()];
  if ((await listen(first, '127.0.0.1', port)) !== 'listens') return undefined;
  const chosen = portOf(first.address());
  const other = await listen(second, '::1', chosen);
  if (other === 'taken') {
    await close(first);
    return undefined;
  }
  host.name = `localhost:${chosen}`;
  return {
    origin: `http://${host.name}`,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await Promise.all([close(first), ...(other === 'listens' ? [close(second)] : [])]);
    },
  };
}

interface Carried {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly agent: Agent;
  readonly host: { readonly name: string };
}

function carry({ request, response, agent, host }: Carried): void {
  // A page of the web can make its own name mean this machine; its requests still bear that name.
  if (request.headers.host !== host.name) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end('ORIGIN_REFUSED\n');
    return;
  }
  const onward = httpRequest({
    agent,
    method: request.method,
    path: request.url,
    setHost: false,
    headers: endToEnd(request.rawHeaders),
  });
  onward.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer.rawHeaders));
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  onward.once('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain' }).end('no gateway answers\n');
  });
  response.once('close', () => onward.destroy());
  request.pipe(onward);
}

/** Headers that say something about one connection only, and not about the request. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function endToEnd(raw: readonly string[]): string[] {
  return raw.flatMap((name, place) => {
    const isName = place % 2 === 0;
    return isName && !HOP_BY_HOP.has(name.toLowerCase()) ? [name, raw[place + 1] ?? ''] : [];
  });
}

class DialAgent extends Agent {
  readonly #dial: DialConsole;

  constructor(dial: DialConsole) {
    super({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
    this.#dial = dial;
  }

  override createConnection(_options: ClientRequestArgs): Duplex {
    return this.#dial();
  }
}

function listen(
  server: Server,
  host: string,
  port: number,
): Promise<'listens' | 'taken' | 'no-such-address'> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve('taken');
      // A machine without IPv6: then nobody can be there either.
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') {
        resolve('no-such-address');
      } else reject(error);
    });
    server.listen({ host, port, ipv6Only: true }, () => resolve('listens'));
  });
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => void server.close(resolve));
  server.closeAllConnections();
  await closed;
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port;
  throw new TypeError('a server that listens has a port');
}

function taken(port: number): PalyraError {
  return new PalyraError('ADDRESS_UNUSABLE', `\`localhost:${port}\` is taken`, {
    help: 'name another port with `--port`, or leave it out to take a free one',
  });
}
