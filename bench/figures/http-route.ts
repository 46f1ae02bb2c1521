import { type Figure, ONE_ROUND } from '../figure.ts';
import { RATE, interleave, subject } from '../harness.ts';
import { daemonHome } from '../rig/home.ts';
import { requestRate } from '../rig/http-load.ts';
import { startBareServer, startDaemon } from '../rig/server.ts';

const OURS = 'palyrad, /healthz';
const BARE = 'bare fastify, /healthz';
const CONNECTIONS = 32;

export const httpRoute: Figure = {
  says: 'GET /healthz on loopback over 32 kept connections, against a fastify with one route.',
  targets: [{ kind: 'ratio', subject: OURS, baseline: BARE, limit: { atLeast: 0.8 } }],
  measure: async (scale) => {
    await using home = await daemonHome();
    await using daemon = await startDaemon(home);
    await using bare = await startBareServer('bare-fastify.ts', home);
    const sampleMs = scale === 'small' ? 50 : 800;
    const load = { path: '/healthz', connections: CONNECTIONS, sampleMs };
    const run = await interleave({
      title: 'a plain route',
      quantity: RATE,
      subjects: [
        subject(OURS, () => requestRate({ ...load, port: daemon.port })),
        subject(BARE, () => requestRate({ ...load, port: bare.port })),
      ],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 3, rounds: 10 }),
    });
    return { runs: [run], notes: [] };
  },
};
