import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { HealthService } from '@palyra/protocol';

/** The least that a server of our protocol can be: one method that answers nothing. */
const [socketPath, speech] = process.argv.slice(2);
const answer = connectNodeAdapter({
  routes: (router) => router.service(HealthService, { getHealth: () => ({}) }),
});
const server = speech === 'grpc' ? createHttp2Server(answer) : createServer(answer);
server.listen({ path: socketPath });
