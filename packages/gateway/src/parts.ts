import type { Clock, Ids, Log } from '@palyra/kernel';
import type { ApprovalDesk } from './approvals/ports.ts';
import type { IdentityPort } from './identity/ports.ts';
import type {
  ApprovalPort,
  AttestorPort,
  CataloguePort,
  JournalPort,
  ModelPort,
  PolicyPort,
  RunsPort,
  SandboxPort,
  UndoPort,
} from './ports.ts';
import type { PolicyDesk } from './policy/ports.ts';
import type { RunSettings } from './settings.ts';

/** Everything that the gateway is made of. Built once, in compose.ts. */
export interface GatewayParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly journal: JournalPort;
  readonly runs: RunsPort;
  readonly model: ModelPort;
  readonly catalogue: CataloguePort;
  readonly policy: PolicyPort;
  readonly policyDesk: PolicyDesk;
  readonly approvals: ApprovalPort;
  readonly approvalDesk: ApprovalDesk;
  readonly sandbox: SandboxPort;
  readonly attestor: AttestorPort;
  readonly undo: UndoPort;
  readonly identity: IdentityPort;
  readonly settings: RunSettings;
}
