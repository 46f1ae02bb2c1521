import { Agent, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { namingErrors } from './named-errors.ts';
import { OneConnection } from './one-connection.ts';
import { type Dialer, type Dialling, TlsDialer } from './tls-dialer.ts';

/** As much as a daemon may be set to send. */
export const MAX_MESSAGE_BYTES = 67_108_864;

/** A gateway and who we are to it; certificates and key as PEM. */
export interface TlsGateway {
  readonly address: string;
  /** What its certificate has to bear, wherever it is dialled: `<authority id>.palyra.internal`. */
  readonly serverName: string;
  /** INVARIANT: the only ones that count; the authorities of the system do not. */
  readonly authorities: readonly string[];
  readonly certificate: string;
  readonly key: string;
}

/** gRPC over HTTP/2: all calls on one connection, both directions at once. */
export function grpcOverTls(gateway: TlsGateway): Transport {
  return grpcOver(new TlsDialer(diallingFor(gateway, 'h2')), gateway.address);
}

/** Connect with JSON over HTTP/1.1: readable on the wire; no `runStream`, which needs HTTP/2. */
export function httpOverTls(gateway: TlsGateway): Transport {
  const dialer = new TlsDialer(diallingFor(gateway, 'http/1.1'));
  const transport = createConnectTransport({
    baseUrl: `https://${gateway.address}`,
    httpVersion: '1.1',
    useBinaryFormat: false,
    readMaxBytes: MAX_MESSAGE_BYTES,
    acceptCompression: [],
    nodeOptions: { agent: new DialAgent(dialer) },
  });
  return namingErrors(transport, dialer.nameError);
}

/** Contract: the dialler is asked for a connection whenever there is none. */
export function grpcOver(dialer: Dialer, address: string): Transport {
  const transport = createGrpcTransport({
    baseUrl: `https://${address}`,
    readMaxBytes: MAX_MESSAGE_BYTES,
    acceptCompression: [],
    sessionManager: new OneConnection(`https://${address}`, () => dialer.dial()),
  });
  return namingErrors(transport, dialer.nameError);
}

/** Verification is on and checks chain and name; nothing here may switch it off. */
export function diallingFor(gateway: TlsGateway, protocol: Dialling['protocol']): Dialling {
  const { address, authorities, certificate, key, serverName } = gateway;
  const tls = { ca: [...authorities], cert: certificate, key, servername: serverName };
  return { address, protocol, as: 'device', tls };
}

/** Connections of one client at once, fewer than a gateway has for one device. Others wait for their turn. */
const MOST_SOCKETS = 32;

class DialAgent extends Agent {
  readonly #dialer: TlsDialer;

  constructor(dialer: TlsDialer) {
    super({ keepAlive: true, maxSockets: MOST_SOCKETS });
    this.#dialer = dialer;
  }

  override createConnection(_options: RequestOptions): Duplex {
    return this.#dialer.dial();
  }
}
