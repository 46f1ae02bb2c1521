import type { JsonObject, SealedEntry } from '@palyra/kernel';
import type {
  BacktestProgress,
  CheckPolicyResponse,
  GetPolicyResponse,
  PolicyCandidate,
  PolicyCaseFile,
  PolicyDifference,
  PolicyExplanation,
  ReloadPolicyResponse,
  Role,
  TestPolicyResponse,
  ToolDecision,
} from '@palyra/protocol';
import type { JudgedCall, Toucher } from '../ports.ts';

/** What a permission is for, unless it is about the work of somebody, about somebody or about a folder. */
export interface ImaginedAct {
  readonly caller: ImaginedCaller;
  readonly action: string;
  readonly matter?: ImaginedMatter;
}

/** Through any door that rules know. */
export type ImaginedCaller = Omit<Toucher, 'actor'>;

export type ImaginedMatter = { readonly action: string } & (
  | { readonly owner: string }
  | { readonly member: { readonly userId: string; readonly role: Role } }
  | { readonly workspace: string }
);

/** One that a call would make. */
export interface ImaginedConnection {
  readonly host: string;
  readonly port: number;
}

/** What people ask of the rules, beside having them decide. Every change is journaled with its actor. */
export interface PolicyDesk {
  /** Changes with every set that comes into force: what is open is looked at again then. */
  revision(): number;
  /** Contract: at hand; nothing is loaded for it. */
  health(): PolicyStanding;
  /** A set by its hash; empty for the one in force. Contract: NOT_FOUND for one that is not kept. */
  show(setHash: string): Promise<GetPolicyResponse>;
  /** With the rules of its day. Contract: NOT_FOUND when they are not kept; OVERLOADED when too many ask. */
  explain(decision: ToolDecision): Promise<PolicyExplanation>;
  /**
   * How a call would be decided now, with these facts assumed, in the words of the schema; or a connection
   * of it, once it was allowed.
   */
  foresee(
    call: JudgedCall,
    facts: JsonObject,
    connection?: ImaginedConnection,
  ): Promise<PolicyExplanation>;
  /** The same of what somebody would do with the gateway; of the facts only the time can be assumed. */
  foreseeAct(act: ImaginedAct, facts: JsonObject): Promise<PolicyExplanation>;
  /** What keeps a candidate from being applied, file by file. Contract: stores and changes nothing. */
  check(candidate: PolicyCandidate, asking: Asking): Promise<CheckPolicyResponse>;
  /** Runs cases against a candidate; without any, those of the operator's folder. Contract: as `check`. */
  test(trial: CandidateTrial, asking: Asking): Promise<TestPolicyResponse>;
  /** Contract: POLICY_INVALID for files that cannot be taken, NOT_FOUND for a hash that is not kept. */
  compare(
    old: PolicyCandidate,
    candidate: PolicyCandidate,
    asking: Asking,
  ): Promise<PolicyDifference>;
  /**
   * What applying a candidate would change: of a hash, the operator's layer of that set beside the other
   * layers of today. Contract: as `compare`, and waits for nobody who only compares.
   */
  rehearse(candidate: PolicyCandidate, asking: Asking): Promise<PolicyDifference>;
  /** Contract: the last message, and no other, has the report. Ends when nobody reads it for a while. */
  backtest(
    candidate: PolicyCandidate,
    journal: RecordedDecisions,
    asking: Asking,
  ): AsyncIterable<BacktestProgress>;
  reload(actor: string): Promise<ReloadPolicyResponse>;
  /** The hash of the set that is in force from then on. */
  apply(change: OperatorChange, actor: string): Promise<string>;
  /** From here on the candidate counts as one that is tried; it decides nothing. */
  startShadow(candidate: PolicyCandidate, actor: string): Promise<StartedShadow>;
  /** Contract: NOT_FOUND when there is none; answers with the one that was. */
  stopShadow(actor: string): Promise<Shadow>;
  shadow(): Promise<Shadow | undefined>;
}

export interface Shadow {
  readonly policySetHash: string;
  readonly startedAt: Date;
}

export interface StartedShadow extends Shadow {
  /** The hash of the one that ended with it; `undefined` when there was none. */
  readonly replaced: string | undefined;
}

/** For whom something is done that takes a process, and until when they wait. */
export interface Asking {
  /** Contract: the same for everything that one person acts through; nobody has two of a kind. */
  readonly whose: string;
  readonly signal: AbortSignal;
}

export interface PolicyStanding {
  readonly mode: string;
  readonly policySetHash: string;
  readonly rules: number;
  /** One line each. */
  readonly problems: readonly string[];
}

export interface CandidateTrial {
  readonly candidate: PolicyCandidate;
  readonly cases: PolicyCaseFile[];
}

/** What would be the operator's layer from now on. */
export interface OperatorChange {
  readonly candidate: PolicyCandidate;
  /** What it was compared with. Contract: CONFLICT when that is not in force any more. */
  readonly over: string;
}

/** Every decision of the journal from some moment on, in order. */
export interface RecordedDecisions {
  /** How many entries there are to read. */
  readonly total: number;
  read(signal: AbortSignal): AsyncIterable<RecordedPage>;
}

/** Some entries that lie next to one another. */
export interface RecordedPage {
  /** How many entries were read for it. */
  readonly entries: number;
  readonly decisions: readonly RecordedDecision[];
}

export type RecordedDecision = Pick<SealedEntry, 'id' | 'canonical'>;
