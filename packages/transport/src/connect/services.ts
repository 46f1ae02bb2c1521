import type { DescService } from '@bufbuild/protobuf';
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
import { accessOf } from '../auth/access-of.ts';

/**
 * Every service of the protocol. What is not here has no route. Contract: for the first call or later,
 * because what is named here is described here, which a start need not wait for.
 */
export function allServices(): readonly DescService[] {
  return [
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
  ];
}

/** The paths that a caller without any proof may use. */
export function strangersPaths(): ReadonlySet<string> {
  const open = allServices().flatMap(({ typeName, methods }) =>
    methods
      .filter((method) => accessOf(method)?.to === 'strangers')
      .map(({ name }) => `/${typeName}/${name}`),
  );
  return new Set(open);
}
