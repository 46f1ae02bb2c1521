import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { LISTENER_OPTIONS, parseHostRules, serveEgress } from '@palyra/egress';
import { systemClock } from '@palyra/kernel';
import { createLog } from '../../apps/sandboxd/src/log.ts';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { RATE, interleave, subject } from '../harness.ts';
import { socatBridge } from '../rig/socat-bridge.ts';

const OURS = 'through the proxy';
const BARE = 'straight to the host';
const BRIDGE = 'through two socats and the proxy';
const CONNECTIONS = 'new connections';
const BYTES = 'MiB there and back';
const PIECE = Buffer.alloc(1024 * 1024);

export const egressProxy: Figure = {
  says: 'New connections a second, each with one byte there and one back, and mebibytes there and back a second over one connection: through the proxy of a sandbox (CONNECT to an entry for plain TCP), through the same behind a bridge of two socats, and straight to the host. Host, proxy and client share one process.',
  targets: [
    {
      kind: 'ratio',
      subject: titled(OURS, CONNECTIONS),
      baseline: titled(BRIDGE, CONNECTIONS),
      limit: { atLeast: 2 },
    },
    {
      kind: 'ratio',
      subject: titled(OURS, BYTES),
      baseline: titled(BRIDGE, BYTES),
      limit: { atLeast: 1.5 },
    },
  ],
  measure: async (scale) => {
    await using stack = new AsyncDisposableStack();
    const { hostPort, doorPort } = await openProxy(stack);
    const bridge = await socatBridge(doorPort);
    if (bridge !== undefined) stack.use(bridge);
    const roads = {
      [OURS]: () => tunnel(doorPort, hostPort),
      [BARE]: () => opened(hostPort),
      ...(bridge && { [BRIDGE]: () => tunnel(bridge.port, hostPort) }),
    };
    const sampleMs = scale === 'small' ? 50 : 500;
    const compare = (title: string, rate: Rate) =>
      interleave({
        title,
        quantity: RATE,
        subjects: Object.entries(roads).map(([road, open]) =>
          subject(titled(road, title), () => rate(open, sampleMs)),
        ),
        ...(scale === 'small' ? ONE_ROUND : { warmUps: 3, rounds: 15 }),
      });
    const runs = [await compare(CONNECTIONS, connectionRate), await compare(BYTES, mebibyteRate)];
    if (bridge !== undefined) return { runs, notes: [] };
    return {
      runs,
      notes: ['Not measured: the bridge; socat is not installed.'],
      absent: [titled(BRIDGE, CONNECTIONS), titled(BRIDGE, BYTES)],
    };
  },
};

type Rate = (open: () => Promise<Socket>, sampleMs: number) => Promise<number>;

function titled(road: string, what: string): string {
  return `${road}: ${what}`;
}

async function openProxy(stack: AsyncDisposableStack) {
  const host = createServer((socket) => socket.on('error', () => {}).pipe(socket));
  const hostPort = await listen(host);
  stack.defer(() => void host.close());
  const door = createServer(LISTENER_OPTIONS);
  const doorPort = await listen(door);
  const ceilings = { connectionsTotal: 1e9, bytesUp: 1e15, bytesDown: 1e15 };
  const rules = parseHostRules([`tcp:127.0.0.1:${hostPort}`]);
  stack.use(
    serveEgress(
      door,
      { id: 'bench', rules, ceilings, mayConnect: async () => true, onRecord: () => {} },
      { clock: systemClock(), log: createLog((line) => process.stderr.write(line)) },
    ),
  );
  return { hostPort, doorPort };
}

async function connectionRate(open: () => Promise<Socket>, sampleMs: number): Promise<number> {
  return rateOf(sampleMs, async () => {
    const socket = await open();
    socket.write('x');
    await once(socket, 'data');
    socket.destroy();
  });
}

async function mebibyteRate(open: () => Promise<Socket>, sampleMs: number): Promise<number> {
  const socket = await open();
  const rate = await rateOf(sampleMs, async () => {
    let left = PIECE.length;
    socket.write(PIECE);
    while (left > 0) {
      const [chunk]: Buffer[] = await once(socket, 'data');
      left -= chunk?.length ?? left;
    }
  });
  socket.destroy();
  return rate;
}

async function rateOf(sampleMs: number, act: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let acts = 0;
  while (performance.now() - startedAt < sampleMs) {
    await act();
    acts += 1;
  }
  return acts / ((performance.now() - startedAt) / 1_000);
}

async function opened(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

async function tunnel(doorPort: number, hostPort: number): Promise<Socket> {
  const socket = await opened(doorPort);
  socket.write(`CONNECT 127.0.0.1:${hostPort} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}
