import { type Interceptor, createRouterTransport } from '@connectrpc/connect';
import { type PalyraClient, createClient } from '@palyra/client';
import type { Caller, Gateway } from '@palyra/gateway';
import { systemClock } from '@palyra/kernel';
import {
  type LoopDelayMeter,
  type TransportParts,
  type Whereabouts,
  callerKey,
  createReadiness,
  createSiteFiles,
  routerOptions,
  routes,
  transportSection,
} from '@palyra/transport';
import { FIXED_NOW } from './fixed-clock.ts';
import { ownerCaller } from './owner-caller.ts';
import { quietLog } from './quiet-log.ts';

/**
 * Every service over the real routes and the real messages, without a socket in between. What the
 * caller may do is looked at as at a real door.
 */
export function inProcessClient(gateway: Gateway, caller: Caller = ownerCaller()): PalyraClient {
  return clientAs(gateway, caller);
}

/** The same for whoever has proven nothing. */
export function strangersClient(gateway: Gateway): PalyraClient {
  return clientAs(gateway, undefined);
}

function clientAs(gateway: Gateway, caller: Caller | undefined): PalyraClient {
  const parts = testTransportParts(gateway);
  const options = routerOptions(parts);
  const prove: Interceptor = (next) => (request) => {
    request.contextValues.set(callerKey, caller);
    return next(request);
  };
  const router = { ...options, interceptors: [prove, ...(options.interceptors ?? [])] };
  return createClient(createRouterTransport(routes(parts, NOWHERE), { router }));
}

const NOWHERE: Whereabouts = {
  endpoints: ['in-process'],
  dialable: ['127.0.0.1:7443'],
  console: '',
};

/** What a server needs beside its gateway, ready, on ports of its own, every bound at its default. */
export function testTransportParts(gateway: Gateway): TransportParts {
  const readiness = createReadiness();
  readiness.markReady();
  return {
    gateway,
    readiness,
    loopDelay: stillLoop,
    log: quietLog(),
    clock: systemClock(),
    settings: transportSection.parse({ listen: '127.0.0.1:0', console: 'localhost:0' }),
    names: [],
    site: createSiteFiles('/nowhere'),
    facts: {
      version: '0.0.0-test',
      profile: 'local',
      model: 'talking',
      modelIsScript: true,
      workspace: '/workspace',
      furtherWorkspaces: [],
      startedAt: FIXED_NOW,
      missing: [{ name: 'sandbox', reason: 'not built yet', help: '' }],
    },
  };
}

const stillLoop: LoopDelayMeter = {
  read: () => ({ p50Ms: 0.5, p99Ms: 1.5 }),
  [Symbol.dispose]: () => {},
};
