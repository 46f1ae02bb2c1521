import { connect } from 'node:net';
import type { Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';

/** Names no host: the socket decides where this goes. */
const BASE_URL = 'http://palyrad';
/** As much as a daemon may be set to send. */
const MAX_MESSAGE_BYTES = 67_108_864;

/** gRPC over HTTP/2: all calls on one connection, both directions at once. */
export function grpcOverSocket(path: string): Transport {
  return createGrpcTransport({
    baseUrl: BASE_URL,
    readMaxBytes: MAX_MESSAGE_BYTES,
    acceptCompression: [],
    nodeOptions: { createConnection: () => connect(path) },
  });
}

/** Connect with JSON over HTTP/1.1: readable on the wire; no `runStream`, which needs HTTP/2. */
export function httpOverSocket(path: string): Transport {
  return createConnectTransport({
    baseUrl: BASE_URL,
    httpVersion: '1.1',
    useBinaryFormat: false,
    readMaxBytes: MAX_MESSAGE_BYTES,
    acceptCompression: [],
    nodeOptions: { socketPath: path },
  });
}
