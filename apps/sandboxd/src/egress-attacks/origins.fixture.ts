import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { testAuthority } from '@palyra/testkit';

export interface Origin extends AsyncDisposable {
  readonly port: number;
  /** What arrived. */
  readonly requests: readonly Arrived[];
  /** How many connections were opened. */
  connections(): number;
}

export interface Arrived {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** `undefined`: there is no such thing. */
export type Answer = (request: Arrived) => string | Uint8Array | undefined;

const SAY: Answer = ({ line }) => `seen ${line}`;

export async function startOrigin(answer: Answer = SAY): Promise<Origin> {
  return originOf(createHttpServer(), answer);
}

export interface Certified {
  readonly authorityPem: string;
  readonly cert: string;
  readonly key: string;
}

/** For hosts that exist in tests alone. */
export async function certify(...names: readonly string[]): Promise<Certified> {
  const authority = await testAuthority(new Date());
  const { cert, key } = await authority.issue({
    usage: 'server',
    names: names.map((value) => ({ type: 'dns', value })),
  });
  return { authorityPem: (await authority.serverCredential()).authorityPem, cert, key };
}

export async function startTlsOrigin(
  { cert, key }: Certified,
  answer: Answer = SAY,
): Promise<Origin> {
  return originOf(createHttpsServer({ cert, key }), answer);
}

async function originOf(
  server: ReturnType<typeof createHttpServer>,
  answer: Answer,
): Promise<Origin> {
  const requests: Arrived[] = [];
  let connections = 0;
  server.on('connection', () => (connections += 1));
  server.on('request', (request, response) => {
    void text(request).then(
      (body) => {
        const arrived = {
          line: `${request.method} ${request.url}`,
          headers: request.headers,
          body,
        };
        requests.push(arrived);
        const said = answer(arrived);
        if (said === undefined) response.statusCode = 404;
        response.end(said);
      },
      () => response.destroy(),
    );
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

/** Counts who comes; says nothing. */
export async function startSilentPort(): Promise<
  AsyncDisposable & { readonly port: number; connections(): number }
> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {}).destroy();
  });
  const port = await listen(server);
  return {
    port,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}
