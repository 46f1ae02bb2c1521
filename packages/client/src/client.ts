import {
  type Client,
  type Transport,
  createClient as createConnectClient,
} from '@connectrpc/connect';
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
import { withDeadlines } from './deadlines.ts';
import { withNamedErrors } from './named-errors.ts';

/**
 * Every service of a daemon. Contract: whatever fails, fails with a PalyraError; a single call ends
 * after ten seconds unless its options name another deadline, a stream only when somebody ends it.
 */
export interface PalyraClient {
  readonly runs: Client<typeof RunService>;
  readonly sessions: Client<typeof SessionService>;
  readonly journal: Client<typeof JournalService>;
  readonly health: Client<typeof HealthService>;
  readonly approvals: Client<typeof ApprovalService>;
  readonly models: Client<typeof ModelService>;
  readonly identity: Client<typeof IdentityService>;
  readonly pairing: Client<typeof PairingService>;
  readonly passkeys: Client<typeof PasskeyService>;
  readonly devices: Client<typeof DeviceService>;
  readonly members: Client<typeof MemberService>;
  readonly tokens: Client<typeof TokenService>;
  readonly policy: Client<typeof PolicyService>;
  readonly console: Client<typeof ConsoleService>;
  readonly activity: Client<typeof ActivityService>;
  readonly sandbox: Client<typeof SandboxService>;
  readonly config: Client<typeof ConfigService>;
  readonly doctor: Client<typeof DoctorService>;
}

/** Opens nothing: the first call does. */
export function createClient(transport: Transport): PalyraClient {
  const named = withNamedErrors(withDeadlines(transport));
  return {
    runs: createConnectClient(RunService, named),
    sessions: createConnectClient(SessionService, named),
    journal: createConnectClient(JournalService, named),
    health: createConnectClient(HealthService, named),
    approvals: createConnectClient(ApprovalService, named),
    models: createConnectClient(ModelService, named),
    identity: createConnectClient(IdentityService, named),
    pairing: createConnectClient(PairingService, named),
    passkeys: createConnectClient(PasskeyService, named),
    devices: createConnectClient(DeviceService, named),
    members: createConnectClient(MemberService, named),
    tokens: createConnectClient(TokenService, named),
    policy: createConnectClient(PolicyService, named),
    console: createConnectClient(ConsoleService, named),
    activity: createConnectClient(ActivityService, named),
    sandbox: createConnectClient(SandboxService, named),
    config: createConnectClient(ConfigService, named),
    doctor: createConnectClient(DoctorService, named),
  };
}
