import type { Bytes, JsonObject, RunId, SessionId } from '@palyra/kernel';
import type { CallFacts, Capability, Risk, Run, WorkspaceFolder } from '@palyra/protocol';
import type { ToolSpec } from './models/model-port.ts';

export type {
  ArchivedSegment,
  ArchiveOutcome,
  EntriesPage,
  EntriesQuery,
  ExportFilter,
  HoldingRun,
  JournalPage,
  JournalPort,
  JournalTip,
} from './journal-port.ts';
export type {
  AskedAgain,
  Keepsake,
  ModelChoice,
  ModelEvent,
  ModelImage,
  ModelPort,
  ModelRequest,
  ModelToolCall,
  ModelUsage,
  SaidEvent,
  ToolSpec,
  Turn,
} from './models/model-port.ts';
export type {
  ApprovalAnswer,
  ApprovalPort,
  ApprovalQuestion,
  Approver,
  GrantedAnswer,
  GrantedApproval,
} from './approvals/approval-port.ts';
export type {
  JudgedCall,
  JudgedConnection,
  Judgement,
  PolicyPort,
  Standing,
  Toucher,
  WorkAction,
  WorkTouched,
  WorkspaceTouched,
} from './policy/policy-port.ts';
export type { UndoPort, UndoView } from './run/undo-port.ts';
export type {
  Connecting,
  Execution,
  ExecutionPlace,
  ExpectedCall,
  ExpectedRun,
  KeptArtifact,
  OutputChunk,
  ReachedHosts,
  SandboxPort,
  SandboxRequest,
} from './sandbox/sandbox-port.ts';
export type { AttestationFacts, AttestorPort } from './tool-call/attestor-port.ts';

/**
 * What the gateway needs from the world. Each port is declared here, or in the folder that needs it,
 * and built in compose.ts.
 */

/** Runs as the journal's entries tell them; kept up to date in the same transaction as each entry. */
export interface RunsPort {
  get(runId: RunId): Promise<Run | undefined>;
  /** Newest first. */
  list(query: RunQuery): Promise<readonly Run[]>;
  /** Runs that go on, or wait for the one before them. After a crash these are to be marked as interrupted. */
  active(): Promise<readonly Run[]>;
}

export interface RunQuery {
  readonly limit: number;
  readonly sessionId?: SessionId;
  /** Only those that were asked for before this one. */
  readonly before?: RunId;
  /** Only those of this one. */
  readonly principal?: string;
}

export interface ToolManifest {
  readonly name: string;
  readonly capabilities: readonly Capability[];
  readonly risk: Risk;
  /** What a call leaves behind: nothing, what its facts say is written, or whatever it likes. */
  readonly effects: 'reads' | 'changes' | 'unknown';
  /** Who brings it: `built-in`, `skill`, `mcp`. */
  readonly source: string;
  /**
   * Reads the arguments, once: what it gives is judged, shown, approved and executed.
   * Contract: never throws; the same arguments always mean the same in the same workspace.
   */
  understand(args: JsonObject, workspace: string): Understood;
}

export type Understood =
  | {
      readonly kind: 'understood';
      /** In one spelling: paths, hosts and methods as the facts have them. */
      readonly arguments: JsonObject;
      readonly facts: CallFacts;
    }
  /** `outside`: it reaches for something that the tool could only refuse. */
  | { readonly kind: 'not-understood' | 'outside'; readonly reason: string; readonly help: string };

/** Bytes by their SHA-256: images of prompts, what a workspace said of itself. */
export interface BlobsPort {
  /** Contract: durable when it resolves, with the SHA-256 in hex; the same bytes are kept once. */
  put(bytes: Uint8Array): Promise<string>;
  /** Contract: at most `length` bytes, fewer only at the end; `undefined` when they are not kept any more. */
  get(sha256: string, offset: number, length: number): Promise<Bytes | undefined>;
}

/** What the workspace says of itself to agents: written by others, whoever they are. */
export interface WorkspaceNotesPort {
  /** Contract: never rejects; `undefined` when there is nothing, or it is not a text of at most `limitBytes`. */
  read(workspace: string, limitBytes: number): Promise<string | undefined>;
}

/** The folders that the gateway may work in, each by its path without links. */
export interface WorkspacePort {
  /** Where nobody names another: the one that it was started in. */
  readonly home: string;
  has(path: string): boolean;
  /**
   * The one that somebody names; the home for nothing.
   * Contract: throws SANDBOX_SCOPE_DENIED, which says why, when runs may not work there.
   */
  choose(named: string): string;
  /** As it is at this moment. Contract: never throws; has no number when there is no such folder. */
  now(path: string): WorkspaceFolder;
}

/** Contract: `undefined` for a tool that nobody declared. It then has no capabilities. */
export interface CataloguePort {
  /** Those that a model is told about: what nobody can execute is not offered. */
  offered(): readonly ToolSpec[];
  find(tool: string): ToolManifest | undefined;
}
