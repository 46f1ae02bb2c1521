export { ActivityFlows } from './activity/activity-flows.ts';
export type { ActivityCounts, ActivityHour, ActivityPort, RuleCount } from './activity/ports.ts';
export type { ActivitySlot, SlotLength } from './activity/slots.ts';
export { ApprovalFlows } from './approvals/approval-flows.ts';
export type {
  Answered,
  Answerer,
  ApprovalDesk,
  GivenAnswer,
  ShownApproval,
} from './approvals/ports.ts';
export type { ConfigDesk } from './config/ports.ts';
export { DoctorFlows } from './doctor/doctor-flows.ts';
export type { DoctorDesk } from './doctor/ports.ts';
export type { EntryNews, EntryNote } from './entry-watch.ts';
export { type Gateway, createGateway } from './gateway.ts';
export { JournalReader, type TailQuery } from './journal-reader.ts';
export { type Actor, type Caller, type CallerMember, type Channel } from './identity/caller.ts';
export type {
  AccessPort,
  AuthoritiesPort,
  ConsolePort,
  ConsoleVisit,
  DevicesPort,
  IdentityPort,
  IssuedCertificate,
  MembersPort,
  OpenedConsole,
  PairingAnswer,
  PairingPort,
  PresentedCertificate,
  ServerCredential,
  PasskeyCeremony,
  PasskeysPort,
  RequestToConfirm,
  SessionCaller,
  StartedPairing,
  Stranger,
  TokensPort,
} from './identity/ports.ts';
export { ModelFlows, type OfferedModels, type TestedModel } from './models/model-flows.ts';
export type { ModelDesk, ModelStanding } from './models/ports.ts';
export type { GatewayParts } from './parts.ts';
export { PolicyFlows, type ShadowReport } from './policy/policy-flows.ts';
export type {
  OperatorChange,
  PolicyDesk,
  PolicyStanding,
  RecordedDecision,
  RecordedDecisions,
  RecordedPage,
  Shadow,
} from './policy/ports.ts';
export type {
  ApprovalAnswer,
  ApprovalPort,
  ApprovalQuestion,
  Approver,
  ArchivedSegment,
  ArchiveOutcome,
  AttestationFacts,
  AttestorPort,
  BlobsPort,
  CataloguePort,
  Connecting,
  EntriesPage,
  EntriesQuery,
  Execution,
  ExecutionPlace,
  ExpectedCall,
  ExpectedRun,
  ExportFilter,
  GrantedApproval,
  HoldingRun,
  JournalPage,
  JournalPort,
  JournalTip,
  JudgedCall,
  JudgedConnection,
  Judgement,
  Keepsake,
  KeptArtifact,
  ModelChoice,
  ModelEvent,
  ModelImage,
  ModelPort,
  ModelRequest,
  ModelToolCall,
  ModelUsage,
  OutputChunk,
  PolicyPort,
  RunQuery,
  RunsPort,
  SandboxPort,
  SandboxRequest,
  Standing,
  ToolManifest,
  ToolSpec,
  Toucher,
  Turn,
  Understood,
  UndoPort,
  UndoView,
  WorkAction,
  WorkTouched,
  WorkspaceNotesPort,
  WorkspacePort,
  WorkspaceTouched,
} from './ports.ts';
export type { FoundAttestation } from './run/attestation-of.ts';
export type {
  BudgetAmounts,
  BudgetPort,
  BudgetReservation,
  ReservedBudget,
  SpentBudget,
} from './run/budget/ports.ts';
export { type RunAsker, type RunHandle, Runs, type StartRun } from './run/runs.ts';
export type { UndoCaller, UndoRun } from './run/undo.ts';
export type { BegunRun, SessionDraft, SessionQuery, SessionsPort } from './sessions/ports.ts';
export { type BranchSession, SessionFlows } from './sessions/session-flows.ts';
export { type RunSettings, runsSection } from './settings.ts';
export type { Clearance } from './tool-call/3-approval.ts';
export { detailOf } from './tool-call/5-attestation.ts';
export type { SandboxDesk } from './sandbox/ports.ts';
export { SandboxFlows } from './sandbox/sandbox-flows.ts';
