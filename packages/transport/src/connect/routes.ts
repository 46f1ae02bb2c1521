import type { ConnectRouter, ConnectRouterOptions } from '@connectrpc/connect';
import type { Gateway } from '@palyra/gateway';
import type { Log } from '@palyra/kernel';
import { ApprovalService, HealthService, JournalService, RunService } from '@palyra/protocol';
import { LOCAL_CALLER } from '../auth/local-caller.ts';
import type { LoopDelayMeter } from '../loop-delay.ts';
import type { Readiness } from '../readiness.ts';
import type { TransportSettings } from '../transport-section.ts';
import { approvalService } from './approval-service.ts';
import { guard } from './guard.ts';
import { type HealthFacts, healthService } from './health-service.ts';
import { journalService } from './journal-service.ts';
import { runService } from './run-service.ts';

/** Everything that the wire leads to. Built once, in compose.ts. */
export interface TransportParts {
  readonly gateway: Gateway;
  readonly facts: HealthFacts;
  readonly readiness: Readiness;
  readonly loopDelay: LoopDelayMeter;
  readonly log: Log;
  readonly settings: TransportSettings;
}

/** Every service of the protocol, for whichever server or test transport carries them. */
export function routes(parts: TransportParts): (router: ConnectRouter) => void {
  return (router) => {
    router.service(HealthService, healthService(parts));
    router.service(RunService, runService(parts.gateway, LOCAL_CALLER));
    router.service(JournalService, journalService(parts.gateway, LOCAL_CALLER));
    router.service(ApprovalService, approvalService());
  };
}

export function routerOptions(parts: TransportParts): ConnectRouterOptions {
  return {
    interceptors: [guard(parts.readiness, parts.log)],
    readMaxBytes: parts.settings.max_message_bytes,
    writeMaxBytes: parts.settings.max_message_bytes,
    // On one machine compression costs more than it saves, and a small body that unpacks into a
    // large one is an attack that then does not exist.
    acceptCompression: [],
  };
}
