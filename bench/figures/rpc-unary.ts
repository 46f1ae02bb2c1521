import {
  type PalyraClient,
  type TlsGateway,
  createClient,
  grpcOverTls,
  httpOverTls,
} from '@palyra/client';
import { type Figure, ONE_ROUND, type Scale } from '../figure.ts';
import { RATE, type Run, interleave, subject } from '../harness.ts';
import { callRate } from '../rig/call-load.ts';
import { daemonHome } from '../rig/home.ts';
import { startBareServer, startDaemon } from '../rig/server.ts';
import { enrolAt, makeBareTls } from '../rig/tls-file.ts';
import type { Target } from '../target.ts';

type Speech = 'grpc' | 'http';

const SPEECHES: Readonly<Record<Speech, string>> = {
  grpc: 'gRPC over HTTP/2',
  http: 'Connect over HTTP/1.1',
};
const CONCURRENCIES = [32, 1];

export const rpcUnary: Figure = {
  says: 'GetHealth over mutual TLS on loopback, from one client process, against a connect-node server over plain node:tls whose handler is empty.',
  targets: (['grpc', 'http'] as const).flatMap((speech) =>
    CONCURRENCIES.map((concurrency): Target => ({
      kind: 'ratio',
      subject: nameOf('palyrad', speech, concurrency),
      baseline: nameOf('bare connect-node', speech, concurrency),
      limit: { atLeast: 0.8 },
    })),
  ),
  measure: async (scale) => {
    await using home = await daemonHome();
    await using _daemon = await startDaemon(home);
    const device = await enrolAt(home);
    const bareTls = await makeBareTls(home);
    const runs: Run[] = [];
    for (const speech of ['grpc', 'http'] as const) {
      await using bare = await startBareServer('bare-connect.ts', home, bareTls.file, speech);
      const ours = clientOf(speech, device);
      const theirs = clientOf(speech, {
        ...bareTls.client,
        address: `127.0.0.1:${bare.port}`,
      });
      for (const concurrency of CONCURRENCIES) {
        runs.push(await measurePair({ speech, concurrency, ours, theirs, scale }));
      }
    }
    return {
      runs,
      notes: ['The client is the same code for both servers and costs about as much as they do.'],
    };
  },
};

interface Pair {
  readonly speech: Speech;
  readonly concurrency: number;
  readonly ours: PalyraClient;
  readonly theirs: PalyraClient;
  readonly scale: Scale;
}

function measurePair({ speech, concurrency, ours, theirs, scale }: Pair): Promise<Run> {
  const load = { concurrency, sampleMs: scale === 'small' ? 50 : 600 };
  return interleave({
    title: `unary calls, ${SPEECHES[speech]}, ${atOnce(concurrency)}`,
    quantity: RATE,
    subjects: [
      subject(nameOf('palyrad', speech, concurrency), () =>
        callRate(() => ours.health.getHealth({}), load),
      ),
      subject(nameOf('bare connect-node', speech, concurrency), () =>
        callRate(() => theirs.health.getHealth({}), load),
      ),
    ],
    ...(scale === 'small' ? ONE_ROUND : { warmUps: 3, rounds: 9 }),
  });
}

function clientOf(speech: Speech, gateway: TlsGateway): PalyraClient {
  return createClient(speech === 'grpc' ? grpcOverTls(gateway) : httpOverTls(gateway));
}

function nameOf(server: string, speech: Speech, concurrency: number): string {
  return `${server}, ${SPEECHES[speech]}, ${atOnce(concurrency)}`;
}

function atOnce(concurrency: number): string {
  return concurrency === 1 ? 'one at a time' : `${concurrency} at once`;
}
