import type {
  Bytes,
  EntryDraft,
  EntryId,
  JsonObject,
  PalyraError,
  RunId,
  SealedEntry,
  SessionId,
} from '@palyra/kernel';
import type {
  CallFacts,
  Capability,
  DecisionKind,
  EgressConnection,
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
} from '@palyra/protocol';
import type { Caller } from './identity/caller.ts';

/** What the gateway needs from the world. Each port is declared here and built in compose.ts. */

/** The journal: the gateway's only memory. */
export interface JournalPort {
  /**
   * Contract: resolves once every draft is durable, all or none, next to one another and in order.
   * Rejects with JOURNAL_UNWRITABLE when that cannot be promised; nothing of it is then published.
   */
  append(drafts: readonly EntryDraft[]): Promise<readonly SealedEntry[]>;
  /** The newest entry that is durable; sequence 0 for an empty journal. */
  tip(): JournalTip;
  find(id: EntryId | number): Promise<SealedEntry | undefined>;
  /** Contract: ascending, at most `limit`; empty means that there is nothing after `after`, yet. */
  page(query: JournalPage): Promise<readonly SealedEntry[]>;
  /** Contract: called in order, after entries are durable; a listener must not throw or wait. */
  subscribe(listener: (entries: readonly SealedEntry[]) => void): Disposable;
  /** Lines of an export file without their newlines: header, entries, trailer. */
  exportLines(filter: { readonly runId?: RunId }): AsyncIterable<Bytes>;
  /**
   * Moves every sealed segment whose entries all come before sequence `before` out of the store.
   * Contract: a segment leaves only after its file was read back and verified, and an entry in the
   * same transaction says so. One that a resumable run still needs stays.
   */
  archive(before: number, actor: string): Promise<readonly ArchivedSegment[]>;
}

export interface ArchivedSegment {
  readonly number: number;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly file: string;
}

export interface JournalTip {
  readonly sequence: number;
  readonly hash: string;
}

export interface JournalPage {
  readonly after: number;
  readonly limit: number;
  readonly runId?: RunId;
}

/** Runs as the journal's entries tell them; kept up to date in the same transaction as each entry. */
export interface RunsPort {
  get(runId: RunId): Promise<Run | undefined>;
  /** Newest first. */
  list(query: RunQuery): Promise<readonly Run[]>;
  /** Runs with a start and no end. After a crash these are the ones to mark as interrupted. */
  active(): Promise<readonly Run[]>;
}

export interface RunQuery {
  readonly limit: number;
  readonly sessionId?: SessionId;
}

export interface ModelPort {
  readonly name: string;
  /** True for the embedded script, which must never be taken for a language model. */
  readonly isScript: boolean;
  /**
   * One turn of the model. Contract: the end of the iteration is the end of the turn; it throws
   * MODEL_FAILED when the model fails, and the signal's reason as soon as that is aborted.
   */
  reply(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface ModelRequest {
  readonly system: string;
  readonly conversation: readonly Turn[];
  readonly tools: readonly ToolSpec[];
  /** The least of this and what the model's own settings say holds. */
  readonly maxOutputTokens: number;
}

/** A tool as the model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly says: string;
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject;
}

export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  /** What it thinks aloud; it is no part of the answer. */
  | { readonly kind: 'reasoning'; readonly text: string }
  | ModelUsage
  | { readonly kind: 'tool-call'; readonly tool: string; readonly argumentsJson: string };

export interface ModelUsage {
  readonly kind: 'usage';
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** As much of the input as the provider had in its cache. */
  readonly cachedTokens: number;
  /** Absent where no prices are configured. */
  readonly costMicroUsd?: number;
}

export type Turn =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'model';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
    }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

export interface ModelToolCall {
  readonly callId: string;
  readonly tool: string;
  readonly argumentsJson: string;
}

export interface ToolManifest {
  readonly name: string;
  readonly capabilities: readonly Capability[];
  readonly risk: Risk;
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
}

/** A proposal, and who and what stands behind it at this moment. */
export interface JudgedCall {
  readonly proposal: ToolProposal;
  readonly source: string;
  readonly standing: Standing;
  readonly channel: string;
  readonly deviceId: string;
  /** Only what was proven on this machine. */
  readonly tier: ExecutionPlace['tier'];
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
  /** Ends the question about a call that was cancelled. */
  withdraw(fingerprint: string): Promise<void>;
}

export interface ApprovalQuestion {
  readonly proposal: ToolProposal;
  readonly gates: readonly PolicyGate[];
  readonly policySetHash: string;
  /** What it leaves in the journal about this call, once durable. Contract: does not throw. */
  readonly onEntries: (entries: readonly SealedEntry[]) => void;
}

export type ApprovalAnswer =
  | ({ readonly kind: 'granted' } & GrantedApproval)
  | { readonly kind: 'denied'; readonly approvalId: string; readonly reason: string };

export interface SandboxPort {
  /**
   * Where a call would run, as far as that was proven on this machine. Asked before it is judged, so
   * that rules can tell, and recorded before anything is spawned.
   * Contract: never rejects; what was not proven is the tier `none`.
   */
  place(proposal: ToolProposal): Promise<ExecutionPlace>;
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
  /** Each connection that it opened or tried to, once that has ended. Contract: must not throw. */
  readonly onConnection: (connection: EgressConnection) => void;
  /** A file that is about to be changed. Contract: when it rejects, the file stays as it is. */
  readonly onFileChange: (change: FileChange) => Promise<void>;
}

export interface Execution {
  readonly outcome: ToolOutcome;
  readonly executor: Executor;
  /** What was observed of the cage, in words. */
  readonly enforcement: string;
  readonly output: Bytes;
  readonly error?: PalyraError;
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
> & { readonly output: Bytes };
