import {
  type Client,
  type Transport,
  createClient as createConnectClient,
} from '@connectrpc/connect';
import {
  ApprovalService,
  ConsoleService,
  DeviceService,
  HealthService,
  IdentityService,
  JournalService,
  MemberService,
  ModelService,
  PairingService,
  PolicyService,
  RunService,
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
  readonly devices: Client<typeof DeviceService>;
  readonly members: Client<typeof MemberService>;
  readonly tokens: Client<typeof TokenService>;
  readonly policy: Client<typeof PolicyService>;
  readonly console: Client<typeof ConsoleService>;
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
    devices: createConnectClient(DeviceService, named),
    members: createConnectClient(MemberService, named),
    tokens: createConnectClient(TokenService, named),
    policy: createConnectClient(PolicyService, named),
    console: createConnectClient(ConsoleService, named),
  };
}
