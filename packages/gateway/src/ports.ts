import type { Bytes, JsonObject, PalyraError, RunId, SealedEntry, SessionId } from '@palyra/kernel';
import type {
  CallFacts,
  CallPreview,
  Capability,
  DecisionKind,
  EgressConnection,
  ExecutionLimits,
  Executor,
  FileChange,
  Permission,
  PolicyGate,
  PolicyRequest,
  PrincipalKind,
  Risk,
  Role,
  Run,
  ToolAttestation,
  ToolOutcome,
  ToolProposal,
  WorkspaceFolder,
} from '@palyra/protocol';
import type { Caller } from './identity/caller.ts';
import type { ToolSpec } from './models/model-port.ts';
import type { TaintLabel } from './run/taint.ts';

export type {
  ArchivedSegment,
  EntriesPage,
  EntriesQuery,
  ExportFilter,
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
   * Contract: never throws; the same arguments always mean the same.
   */
  understand(args: JsonObject): Understood;
}

export type Understood =
  | {
      readonly kind: 'understood';
      /** In one spelling: paths, hosts and methods as the facts have them. */
      readonly arguments: JsonObject;
      readonly facts: CallFacts;
    }
  | { readonly kind: 'not-understood'; readonly reason: string; readonly help: string };

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
  read(limitBytes: number): Promise<string | undefined>;
}

/** The folder that the gateway works in. */
export interface WorkspacePort {
  /** As it is at this moment. Contract: never throws; has no number when there is no such folder. */
  now(): WorkspaceFolder;
}

/** Contract: `undefined` for a tool that nobody declared. It then has no capabilities. */
export interface CataloguePort {
  /** Those that a model is told about: what nobody can execute is not offered. */
  offered(): readonly ToolSpec[];
  find(tool: string): ToolManifest | undefined;
}

export interface PolicyPort {
  /**
   * Contract: whatever cannot be decided is a `deny`. Asked a second time, with the approval, when
   * a person has said yes: policy decides whether that suffices.
   */
  judge(call: JudgedCall, approval?: GrantedApproval): Promise<Judgement>;
  /**
   * Whether the rules let a caller do what a permission is for; `undefined` for what is open to
   * every caller. Asked after `demand`, so it can only take away.
   * Contract: rejects with PERMISSION_DENIED, which names the rule.
   */
  authorise(caller: Caller, permission: Permission | undefined): Promise<void>;
  /**
   * Whether the rules let a caller do this with the runs and sessions of somebody.
   * Contract: rejects with PERMISSION_DENIED, which names the rule; asked again it answers at once.
   */
  touch(caller: Toucher, touches: WorkTouched): Promise<void>;
}

/** What rules are told of whoever touches a run or session. */
export type Toucher = Pick<
  Caller,
  'principal' | 'kind' | 'permissions' | 'member' | 'deviceId' | 'channel'
>;

export interface WorkTouched {
  readonly action: WorkAction;
  /** Whose it is, `user:01J…`; or `everybody`. */
  readonly owner: string;
}

/** To speak is to go on with it, branch from it, name it or shelve it, too. */
export type WorkAction = 'work.see' | 'work.speak' | 'work.stop' | 'work.undo';

/** A proposal, and who and what stands behind it at this moment. */
export interface JudgedCall {
  readonly proposal: ToolProposal;
  readonly source: string;
  readonly standing: Standing;
  readonly channel: string;
  readonly deviceId: string;
  /** Only what was proven on this machine. */
  readonly tier: ExecutionPlace['tier'];
  /** What the run has seen. */
  readonly taint: readonly TaintLabel[];
  readonly budget: 'within' | 'exhausted';
}

/** Whose rights a run has, as they are now, not as they were when it started. */
export interface Standing {
  readonly principal: string;
  readonly kind: PrincipalKind;
  /** The member behind it, `user:01J…`; empty for what acts for nobody. */
  readonly member: string;
  readonly name: string;
  /** UNSPECIFIED when they have none any more. */
  readonly role: Role;
  /** Words of permissions; only a token's are limited. */
  readonly scopes: readonly string[];
}

export interface GrantedApproval {
  readonly approvalId: string;
  readonly approvers: readonly Approver[];
}

export interface Approver {
  /** `user:01J…` */
  readonly principal: string;
  readonly role: Role;
  readonly strength: 'device' | 'passkey';
  /** People who could have said it in their place; absent where there is nobody. */
  readonly vouchedBy?: readonly string[];
}

export interface Judgement {
  readonly kind: DecisionKind;
  readonly reason: string;
  readonly help: string;
  readonly ruleIds: readonly string[];
  readonly policySetHash: string;
  /** What the rules were asked; absent when they could not be. */
  readonly asked?: PolicyRequest;
  readonly gates: readonly PolicyGate[];
  readonly engine: string;
}

export interface ApprovalPort {
  /**
   * An answer to exactly this question, by a grant that covers it or by people.
   * Contract: rejects with the signal's reason as soon as that is aborted, and the question stays for
   * when the same call comes again; with APPROVAL_UNAVAILABLE when nobody can be asked.
   */
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer>;
  /** Ends the question about a call that was cancelled. Gives what it left in the journal. */
  withdraw(fingerprint: string): Promise<readonly SealedEntry[]>;
}

export interface ApprovalQuestion {
  readonly proposal: ToolProposal;
  readonly gates: readonly PolicyGate[];
  readonly policySetHash: string;
  /** Called before people are asked. Contract: what it throws is passed on, and nobody is. */
  readonly reserve: () => void;
  /** Asked for only where people are. Contract: never rejects. */
  readonly preview: () => Promise<CallPreview>;
  /** What it leaves in the journal about this call, once durable. Contract: does not throw. */
  readonly onEntries: (entries: readonly SealedEntry[]) => void;
}

export type ApprovalAnswer =
  | ({
      readonly kind: 'granted';
      /** What the people saw who said yes to this very call; absent where a grant covers it. */
      readonly shown?: CallPreview;
    } & GrantedApproval)
  | { readonly kind: 'denied'; readonly approvalId: string; readonly reason: string };

export interface SandboxPort {
  /**
   * Where a call would run, as far as that was proven on this machine. Asked before it is judged, so
   * that rules can tell, and recorded before anything is spawned.
   * Contract: never rejects; what was not proven is the tier `none`.
   */
  place(proposal: ToolProposal): Promise<ExecutionPlace>;
  /** The same for people, with what the call would change. Contract: never rejects, changes nothing. */
  preview(proposal: ToolProposal): Promise<CallPreview>;
  /** Contract: never throws; every way in which a process can end is an Execution. */
  execute(request: SandboxRequest, signal: AbortSignal): Promise<Execution>;
}

export interface ExecutionPlace {
  readonly tier: 'none' | 'A' | 'B' | 'C';
  readonly executor: Executor;
}

export interface SandboxRequest {
  readonly callId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** For whom, and under which rules: nothing of one is ever used for another. */
  readonly principal: string;
  readonly sessionId: string;
  readonly policySetHash: string;
  /**
   * What somebody was shown who said yes to this very call. Contract: anything else than that is
   * refused, and nothing is changed.
   */
  readonly shown?: CallPreview;
  /** Each connection that it opened or tried to, once that has ended. Contract: must not throw. */
  readonly onConnection: (connection: EgressConnection) => void;
  /** What it says, as it comes. Contract: must not throw. */
  readonly onOutput: (chunk: OutputChunk) => void;
  /** A file that is about to be changed. Contract: when it rejects, the file stays as it is. */
  readonly onFileChange: (change: FileChange) => Promise<void>;
}

export interface OutputChunk {
  readonly isErrorOutput: boolean;
  readonly bytes: Uint8Array;
}

export interface Execution {
  readonly outcome: ToolOutcome;
  readonly executor: Executor;
  /** What was observed of the cage, in words. */
  readonly enforcement: string;
  /** All of it, as it came: evidence is the hash of this. */
  readonly output: Bytes;
  /** What the model and the journal get of it when that is not everything. */
  readonly shownOutput?: string;
  /** What is kept beside it, for later calls of the same session. */
  readonly artifact?: KeptArtifact;
  readonly error?: PalyraError;
  /** Of a program that was started: how it ended, one of both. */
  readonly exitCode?: number;
  readonly exitSignal?: string;
  readonly limits?: ExecutionLimits;
  /** Whom it reached, as the gateway heard of each connection. */
  readonly reached?: ReachedHosts;
}

export interface KeptArtifact {
  /** In hex; it is kept under this name. */
  readonly sha256: string;
  readonly bytes: number;
}

export interface ReachedHosts {
  /** `host:port`, sorted. */
  readonly hosts: readonly string[];
  /** There were more. */
  readonly isCut: boolean;
}

export interface AttestorPort {
  /** Adds id, key and signature. */
  attest(facts: AttestationFacts): ToolAttestation;
  /**
   * One of ours as a DSSE envelope that other tools can check.
   * Contract: rejects with JOURNAL_CORRUPT for one that our key did not sign.
   */
  envelope(attestation: ToolAttestation): Promise<Bytes>;
}

/** What files held before they were changed, and the way back. */
export interface UndoPort {
  /** Contract: never rejects, and changes nothing. */
  look(change: FileChange): Promise<UndoView>;
  /**
   * Takes one change back, unless the file is no longer as that change left it; then says why.
   * Contract: never rejects. `onChange` is told what is about to be made, the way back from it kept;
   * when it rejects, the file stays as it is.
   */
  restore(
    change: FileChange,
    onChange: (made: FileChange) => Promise<void>,
  ): Promise<PalyraError | undefined>;
}

export type UndoView =
  | { readonly kind: 'can-restore' }
  /** The file is as it was before the change already. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly error: PalyraError };

export type AttestationFacts = Pick<
  ToolAttestation,
  | 'callId'
  | 'runId'
  | 'fingerprint'
  | 'decision'
  | 'ruleIds'
  | 'policySetHash'
  | 'approvalId'
  | 'outcome'
  | 'executor'
  | 'sandboxEnforcement'
  | 'startedAt'
  | 'endedAt'
  | 'previousHash'
  | 'exitCode'
  | 'exitSignal'
  | 'limits'
  | 'egressHosts'
  | 'egressHostsAreCut'
> & { readonly output: Bytes };
