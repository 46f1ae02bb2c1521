import { createRouterTransport } from '@connectrpc/connect';
import { type PalyraClient, createClient } from '@palyra/client';
import type { Gateway } from '@palyra/gateway';
import {
  type LoopDelayMeter,
  type TransportParts,
  createReadiness,
  routerOptions,
  routes,
  transportSection,
} from '@palyra/transport';
import { FIXED_NOW } from './fixed-clock.ts';
import { quietLog } from './quiet-log.ts';

/** Every service over the real routes and the real messages, without a socket in between. */
export function inProcessClient(gateway: Gateway): PalyraClient {
  const parts = testTransportParts(gateway);
  return createClient(createRouterTransport(routes(parts), { router: routerOptions(parts) }));
}

/** What a server needs beside its gateway, ready and with every bound at its default. */
export function testTransportParts(gateway: Gateway): TransportParts {
  const readiness = createReadiness();
  readiness.markReady();
  return {
    gateway,
    readiness,
    loopDelay: stillLoop,
    log: quietLog(),
    settings: transportSection.parse({}),
    facts: {
      version: '0.0.0-test',
      profile: 'local',
      endpoints: ['in-process'],
      model: 'talking',
      modelIsScript: true,
      startedAt: FIXED_NOW,
      missing: [{ name: 'sandbox', reason: 'not built yet', help: '' }],
    },
  };
}

const stillLoop: LoopDelayMeter = {
  read: () => ({ p50Ms: 0.5, p99Ms: 1.5 }),
  [Symbol.dispose]: () => {},
};
