import type { Clock, Ids, Log } from '@palyra/kernel';
import type {
  ApprovalPort,
  AttestorPort,
  CataloguePort,
  JournalPort,
  ModelPort,
  PolicyPort,
  RunsPort,
  SandboxPort,
} from './ports.ts';
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
  readonly approvals: ApprovalPort;
  readonly sandbox: SandboxPort;
  readonly attestor: AttestorPort;
  readonly settings: RunSettings;
}

/** Who asks, as the transport has proven it. */
export interface Caller {
  readonly principal: string;
}
