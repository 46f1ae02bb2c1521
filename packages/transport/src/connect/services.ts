import type { DescService } from '@bufbuild/protobuf';
import {
  ApprovalService,
  ConsoleService,
  DeviceService,
  HealthService,
  IdentityService,
  JournalService,
  MemberService,
  PairingService,
  PolicyService,
  RunService,
  TokenService,
} from '@palyra/protocol';
import { accessOf } from '../auth/access-of.ts';

/** Every service of the protocol. What is not here has no route. */
export const SERVICES: readonly DescService[] = [
  ApprovalService,
  ConsoleService,
  DeviceService,
  HealthService,
  IdentityService,
  JournalService,
  MemberService,
  PairingService,
  PolicyService,
  RunService,
  TokenService,
];

/** The paths that a caller without any proof may use. */
export function strangersPaths(): ReadonlySet<string> {
  const open = SERVICES.flatMap(({ typeName, methods }) =>
    methods
      .filter((method) => accessOf(method)?.to === 'strangers')
      .map(({ name }) => `/${typeName}/${name}`),
  );
  return new Set(open);
}
