import type { ConnectRouter, ConnectRouterOptions } from '@connectrpc/connect';
import type { Gateway } from '@palyra/gateway';
import type { Clock, Log } from '@palyra/kernel';
import {
  ActivityService,
  ApprovalService,
  ConfigService,
  ConsoleService,
  DeviceService,
  DoctorService,
  HealthService,
  IdentityService,
  JournalService,
  MemberService,
  ModelService,
  PairingService,
  PasskeyService,
  PolicyService,
  RunService,
  SandboxService,
  SessionService,
  TokenService,
} from '@palyra/protocol';
import { authorise } from '../auth/authorise.ts';
import type { LoopDelayMeter } from '../loop-delay.ts';
import type { SiteFiles } from '../console-port/site-files.ts';
import type { Readiness } from '../readiness.ts';
import type { TransportSettings } from '../transport-section.ts';
import type { Whereabouts } from '../whereabouts.ts';
import { activityService } from './activity-service.ts';
import { approvalService } from './approval-service.ts';
import { configService } from './config-service.ts';
import { consoleService } from './console-service.ts';
import { deviceService } from './device-service.ts';
import { doctorService } from './doctor-service.ts';
import { guard } from './guard.ts';
import { type HealthFacts, healthService } from './health-service.ts';
import { identityService } from './identity-service.ts';
import { journalService } from './journal-service.ts';
import { memberService } from './member-service.ts';
import { modelService } from './model-service.ts';
import { pairingService } from './pairing-service.ts';
import { passkeyService } from './passkey-service.ts';
import { policyService } from './policy-service.ts';
import { runService } from './run-service.ts';
import { sandboxService } from './sandbox-service.ts';
import { sessionService } from './session-service.ts';
import { tokenService } from './token-service.ts';

/** Everything that the wire leads to. Built once, in compose.ts. */
export interface TransportParts {
  readonly gateway: Gateway;
  readonly facts: HealthFacts;
  readonly readiness: Readiness;
  readonly loopDelay: LoopDelayMeter;
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: TransportSettings;
  /** What else the gateway is called, beside the address on which it listens: `identity.names`. */
  readonly names: readonly string[];
  /** The build of the console. */
  readonly site: SiteFiles;
}

/** Every service of the protocol, for whichever server or test transport carries them. */
export function routes(
  parts: TransportParts,
  whereabouts: Whereabouts,
): (router: ConnectRouter) => void {
  const { gateway } = parts;
  const { identity } = gateway;
  return (router) => {
    router.service(HealthService, healthService(parts, whereabouts));
    router.service(RunService, runService(gateway));
    router.service(SessionService, sessionService(gateway.sessions));
    router.service(JournalService, journalService(gateway));
    router.service(ActivityService, activityService(gateway.activity));
    router.service(ApprovalService, approvalService(gateway.approvals));
    router.service(ModelService, modelService(gateway.models));
    router.service(PolicyService, policyService(gateway.policy, identity.passkeys));
    router.service(SandboxService, sandboxService(gateway.sandbox));
    router.service(ConfigService, configService(gateway.config));
    router.service(DoctorService, doctorService(gateway.doctor));
    router.service(IdentityService, identityService(identity));
    router.service(PairingService, pairingService(identity, whereabouts));
    router.service(PasskeyService, passkeyService(identity.passkeys, gateway.approvals));
    router.service(DeviceService, deviceService(identity.devices));
    router.service(MemberService, memberService(identity));
    router.service(TokenService, tokenService(identity.tokens));
    router.service(ConsoleService, consoleService(identity.console, whereabouts));
  };
}

/** Contract: whoever carries the routes puts the caller at `callerKey`; without, only strangers' calls pass. */
export function routerOptions(parts: TransportParts): ConnectRouterOptions {
  return {
    // The guard stands outside, so that a refusal is named and logged like any other fault.
    interceptors: [guard(parts.readiness, parts.log), authorise(parts.gateway.policy)],
    readMaxBytes: parts.settings.max_message_bytes,
    writeMaxBytes: parts.settings.max_message_bytes,
    // A small body that unpacks into a large one is an attack that does not exist then.
    acceptCompression: [],
  };
}
