import {
  type Client,
  type Transport,
  createClient as createConnectClient,
} from '@connectrpc/connect';
import { ApprovalService, HealthService, JournalService, RunService } from '@palyra/protocol';
import { withNamedErrors } from './named-errors.ts';

/** Every service of a daemon. Contract: whatever fails, fails with a PalyraError. */
export interface PalyraClient {
  readonly runs: Client<typeof RunService>;
  readonly journal: Client<typeof JournalService>;
  readonly health: Client<typeof HealthService>;
  readonly approvals: Client<typeof ApprovalService>;
}

/** Opens nothing: the first call does. */
export function createClient(transport: Transport): PalyraClient {
  const named = withNamedErrors(transport);
  return {
    runs: createConnectClient(RunService, named),
    journal: createConnectClient(JournalService, named),
    health: createConnectClient(HealthService, named),
    approvals: createConnectClient(ApprovalService, named),
  };
}
