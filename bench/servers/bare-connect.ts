import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { HealthService } from '@palyra/protocol';
import { readTlsFile } from '../rig/tls-file.ts';

/** The least that a server of our protocol can be over mutual TLS: one method that answers nothing. */
const [port = '', tlsFile = '', speech = ''] = process.argv.slice(2);
const answer = connectNodeAdapter({
  routes: (router) => router.service(HealthService, { getHealth: () => ({}) }),
});
const tls = readTlsFile(tlsFile);
const server = speech === 'grpc' ? createSecureServer(tls, answer) : createServer(tls, answer);
server.listen(Number(port), '127.0.0.1');
