import { type Server, createServer } from 'node:net';
import { type Address, writeAddress } from '../address.ts';
import { bind, listenOn, systemCode, unusable } from '../http/listen.ts';
import type { Lines } from '../http/lines.ts';

/** Browsers open six connections or so for each page. */
const MOST_CONNECTIONS = 64;
const TRIES_FOR_A_PORT = 8;

export interface ConsolePort {
  /** As browsers name it: `localhost:7142`. */
  readonly host: string;
  readonly servers: readonly Server[];
}

/** Plain HTTP on loopback. Contract: resolves when it listens. */
export async function openConsolePort(address: Address): Promise<ConsolePort> {
  const { servers, port } =
    address.host === 'localhost' ? await listenOnBoth(address.port) : await listenOnOne(address);
  return { host: hostHeader({ host: address.host, port }), servers };
}

/** Contract: in the same turn of the event loop in which the port was bound. */
export function receiveBrowsers({ host, servers }: ConsolePort, lines: Lines): void {
  for (const server of servers) {
    server.on('connection', (socket) => lines.take(socket, { at: 'console', host }, 'http1'));
  }
}

function makeServer(): Server {
  const server = createServer({ noDelay: true });
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

interface Listening {
  readonly servers: readonly Server[];
  readonly port: number;
}

async function listenOnOne(address: Address): Promise<Listening> {
  const server = makeServer();
  const { port } = await listenOn(server, address, 'transport.console');
  return { servers: [server], port };
}

/**
 * `localhost` is two addresses, and browsers try both. Held by us, neither can be somebody else's,
 * who would be given the link of the console.
 */
async function listenOnBoth(wanted: number): Promise<Listening> {
  for (let tries = 1; ; tries += 1) {
    const four = makeServer();
    const { port } = await listenOn(four, { host: '127.0.0.1', port: wanted }, 'transport.console');
    const six = makeServer();
    try {
      await bind(six, { host: '::1', port });
      return { servers: [four, six], port };
    } catch (reason) {
      if (lacksIpv6(reason)) return { servers: [four], port };
      four.close();
      // A port that we chose ourselves may be taken on the other address.
      if (wanted !== 0 || tries === TRIES_FOR_A_PORT) {
        throw unusable(reason, { host: '::1', port }, 'transport.console');
      }
    }
  }
}

function lacksIpv6(reason: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(systemCode(reason));
}

/** As browsers write it: without the port that HTTP has anyway. */
function hostHeader(address: Address): string {
  const text = writeAddress(address);
  return address.port === 80 ? text.slice(0, text.lastIndexOf(':')) : text;
}
