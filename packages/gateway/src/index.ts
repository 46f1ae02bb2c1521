export { type Gateway, createGateway } from './gateway.ts';
export { JournalReader, type TailQuery } from './journal-reader.ts';
export { type Actor, type Caller, type CallerMember, demand } from './identity/caller.ts';
export type {
  AccessPort,
  AuthoritiesPort,
  ConsolePort,
  DevicesPort,
  IdentityPort,
  IssuedCertificate,
  MembersPort,
  OpenedConsole,
  PairingAnswer,
  PairingPort,
  PresentedCertificate,
  ServerCredential,
  SessionCaller,
  StartedPairing,
  Stranger,
  TokensPort,
} from './identity/ports.ts';
export type { GatewayParts } from './parts.ts';
export type {
  ApprovalAnswer,
  ApprovalPort,
  ArchivedSegment,
  AttestationFacts,
  AttestorPort,
  CataloguePort,
  Execution,
  GrantedApproval,
  JournalPage,
  JournalPort,
  JournalTip,
  Judgement,
  ModelEvent,
  ModelPort,
  ModelToolCall,
  PolicyPort,
  RunQuery,
  RunsPort,
  SandboxPort,
  SandboxRequest,
  ToolManifest,
  Turn,
} from './ports.ts';
export { type RunHandle, Runs, type StartRun } from './run/runs.ts';
export { type RunSettings, runsSection } from './settings.ts';
export type { Clearance } from './tool-call/3-approval.ts';
export { detailOf } from './tool-call/5-attestation.ts';
