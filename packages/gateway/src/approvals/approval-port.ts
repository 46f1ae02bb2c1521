import type { EntryDraft } from '@palyra/kernel';
import type { CallPreview, PolicyGate, Role, ToolProposal } from '@palyra/protocol';

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

export interface ApprovalPort {
  /**
   * An answer to exactly this question, by a grant that covers it or by people.
   * Contract: rejects with the signal's reason as soon as that is aborted, and the question stays for
   * when the same call comes again; with APPROVAL_UNAVAILABLE when nobody can be asked.
   */
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer>;
  /** Ends the question about a call that was cancelled. */
  withdraw(fingerprint: string): Promise<void>;
  /** Ends every question about the calls of a run that was cancelled. */
  withdrawAll(runId: string, reason: string): Promise<void>;
}

export interface ApprovalQuestion {
  readonly proposal: ToolProposal;
  readonly gates: readonly PolicyGate[];
  readonly policySetHash: string;
  /** A stop or a crash cut the call off before it started: what was answered to it until then still counts. */
  readonly wasCutOff?: boolean;
  /** Called before people are asked. Contract: what it throws is passed on, and nobody is. */
  readonly reserve: () => Promise<void>;
  /** Asked for only where people are, or where a grant is bound to it. Contract: never rejects. */
  readonly preview: () => Promise<CallPreview>;
  /**
   * What is to be recorded in one commit with the use of a grant; nothing, or absent, where that is
   * found out later. Contract: called again when somebody was faster; only what it gave last counts.
   */
  readonly alongside?: (answer: GrantedAnswer) => Promise<readonly EntryDraft[]>;
  /** Does what waits for people, and nothing else: whoever is in it can be cut off at once. */
  readonly wait?: (waiting: () => Promise<void>) => Promise<void>;
}

export interface GrantedAnswer extends GrantedApproval {
  readonly kind: 'granted';
  /** What the people saw who said yes to this very call; absent where a grant of a wider shape covers it. */
  readonly shown?: CallPreview;
}

export type ApprovalAnswer =
  /** With `isDecided` what stood `alongside` is on record, and with it that the grant was used. */
  (GrantedAnswer & { readonly isDecided?: boolean }) | DeniedAnswer;

interface DeniedAnswer {
  readonly kind: 'denied';
  readonly approvalId: string;
  readonly reason: string;
  /** What whoever asked can do about it. */
  readonly help?: string;
}
