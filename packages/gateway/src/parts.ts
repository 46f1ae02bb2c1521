import type { Clock, Ids, Log } from '@palyra/kernel';
import type { ActivityPort } from './activity/ports.ts';
import type { ApprovalDesk } from './approvals/ports.ts';
import type { ConfigDesk } from './config/ports.ts';
import type { DoctorDesk } from './doctor/ports.ts';
import type { IdentityPort } from './identity/ports.ts';
import type { ModelDesk } from './models/ports.ts';
import type {
  ApprovalPort,
  AttestorPort,
  BlobsPort,
  CataloguePort,
  JournalPort,
  ModelPort,
  PolicyPort,
  RunsPort,
  SandboxPort,
  UndoPort,
  WorkspaceNotesPort,
  WorkspacePort,
} from './ports.ts';
import type { PolicyDesk } from './policy/ports.ts';
import type { SandboxDesk } from './sandbox/ports.ts';
import type { SessionsPort } from './sessions/ports.ts';
import type { BudgetPort } from './run/budget/ports.ts';
import type { RunSettings } from './settings.ts';

/** Everything that the gateway is made of. Built once, in compose.ts. */
export interface GatewayParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly journal: JournalPort;
  readonly runs: RunsPort;
  readonly activity: ActivityPort;
  readonly sessions: SessionsPort;
  readonly blobs: BlobsPort;
  readonly workspace: WorkspacePort;
  readonly workspaceNotes: WorkspaceNotesPort;
  readonly model: ModelPort;
  readonly modelDesk: ModelDesk;
  readonly catalogue: CataloguePort;
  readonly policy: PolicyPort;
  readonly policyDesk: PolicyDesk;
  readonly approvals: ApprovalPort;
  readonly budgets: BudgetPort;
  readonly approvalDesk: ApprovalDesk;
  readonly sandbox: SandboxPort;
  readonly sandboxDesk: SandboxDesk;
  readonly configDesk: ConfigDesk;
  readonly doctorDesk: DoctorDesk;
  readonly attestor: AttestorPort;
  readonly undo: UndoPort;
  readonly identity: IdentityPort;
  readonly settings: RunSettings;
}
