import type { Bytes, JsonObject, PalyraError } from '@palyra/kernel';
import type {
  CallPreview,
  EgressConnection,
  ExecutionLimits,
  Executor,
  FileChange,
  ToolOutcome,
  ToolProposal,
} from '@palyra/protocol';

export interface SandboxPort {
  /**
   * Where a call would run, as far as that was proven on this machine. Asked before it is judged, so
   * that rules can tell, and recorded before anything is spawned.
   * Contract: never rejects; what was not proven is the tier `none`.
   */
  place(proposal: ToolProposal): Promise<ExecutionPlace>;
  /** The same for people, with what the call would change. Contract: never rejects, changes nothing. */
  preview(proposal: ToolProposal): Promise<CallPreview>;
  /**
   * Such a call may come soon: what it would run in may be made ready while it is decided.
   * Contract: promises nothing, and nothing of the call is started; throws only for a fault of ours.
   */
  expect(call: ExpectedCall): void;
  /**
   * A run begins: what its calls would run in may be made ready, where whoever it is for is used to
   * such calls there. Contract: as of `expect`.
   */
  expectRun(run: ExpectedRun): void;
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
  /** The folder that it works in. */
  readonly workspace: string;
  /**
   * What somebody was shown who said yes to this very call. Contract: anything else than that is
   * refused, and nothing is changed.
   */
  readonly shown?: CallPreview;
  /** Whether it may connect there, asked before it is dialled. Contract: never rejects; doubt is a no. */
  readonly mayConnect: (to: Connecting) => Promise<boolean>;
  /** Each connection that it opened or tried to, once that has ended. Contract: must not throw. */
  readonly onConnection: (connection: EgressConnection) => void;
  /** What it says, as it comes. Contract: must not throw. */
  readonly onOutput: (chunk: OutputChunk) => void;
  /** A file that is about to be changed. Contract: when it rejects, the file stays as it is. */
  readonly onFileChange: (change: FileChange) => Promise<void>;
}

/** Whom a call would connect to, once the name was looked up. */
export interface Connecting {
  /** In its one spelling, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Every address that may be dialled for it. */
  readonly leadsTo: readonly {
    readonly range: string;
    /** Whoever runs the gateway has named that very address. */
    readonly isListed: boolean;
  }[];
}

/** What is known of a call before anybody has decided about it. */
export type ExpectedCall = Pick<
  SandboxRequest,
  'tool' | 'arguments' | 'principal' | 'sessionId' | 'policySetHash' | 'workspace'
>;

/** What is known of a run before its model has said anything. */
export type ExpectedRun = Omit<ExpectedCall, 'tool' | 'arguments'>;

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
