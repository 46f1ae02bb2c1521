import {
  type Client,
  type Transport,
  createClient as createConnectClient,
} from '@connectrpc/connect';
import { ApprovalService, HealthService, JournalService, RunService } from '@palyra/protocol';
import { withDeadlines } from './deadlines.ts';
import { withNamedErrors } from './named-errors.ts';

/**
 * Every service of a daemon. Contract: whatever fails, fails with a PalyraError; a single call ends
 * after ten seconds unless its options name another deadline, a stream only when somebody ends it.
 */
export interface PalyraClient {
  readonly runs: Client<typeof RunService>;
  readonly journal: Client<typeof JournalService>;
  readonly health: Client<typeof HealthService>;
  readonly approvals: Client<typeof ApprovalService>;
}

/** Opens nothing: the first call does. */
export function createClient(transport: Transport): PalyraClient {
  const named = withNamedErrors(withDeadlines(transport));
  return {
    runs: createConnectClient(RunService, named),
    journal: createConnectClient(JournalService, named),
    health: createConnectClient(HealthService, named),
    approvals: createConnectClient(ApprovalService, named),
  };
}
