import type { EntryDraft } from '@palyra/kernel';
import type {
  CallPreview,
  PolicyGate,
  Role,
  ToolProposal,
  WorkspaceFolder,
} from '@palyra/protocol';

/** Who has which role at this moment. */
export interface PeoplePort {
  /** Contract: UNSPECIFIED for somebody who is nobody any more. */
  roleOf(principal: string): Promise<Role>;
}

/** The folders that the gateway works in. */
export interface WorkspacePort {
  /** As it is at this moment. Contract: never throws; has no number when there is no such folder. */
  now(path: string): WorkspaceFolder;
}

/** What is to be asked, as the policy put it. */
export interface Question {
  readonly proposal: ToolProposal;
  readonly gates: readonly PolicyGate[];
  readonly policySetHash: string;
  /** A stop or a crash cut the call off before it started: what was answered to it until then still counts. */
  readonly wasCutOff?: boolean;
  /** Called before people are asked. Contract: what it throws is passed on, and nobody is. */
  readonly reserve: () => Promise<void>;
  /** What people are to be shown; asked for only where they are, or a grant is bound to it. Contract: never rejects. */
  readonly preview: () => Promise<CallPreview>;
  /**
   * What is to be recorded in one commit with the use of a grant; nothing, or absent, where that is
   * found out later. Contract: called again when somebody was faster; only what it gave last counts.
   */
  readonly alongside?: (answer: GrantedAnswer) => Promise<readonly EntryDraft[]>;
  /** Does what waits for people, and nothing else; absent where nobody counts how long that takes. */
  readonly wait?: (waiting: () => Promise<void>) => Promise<void>;
}

/** Who answers, as the transport has proven it. */
export interface Answerer {
  /** `user:01J…` */
  readonly principal: string;
  /** As the journal names them. */
  readonly actor: string;
  readonly role: Role;
  readonly strength: 'device' | 'passkey';
  readonly channel: string;
  /** People who could have answered in their place: those who let in the device. */
  readonly vouchedBy: readonly string[];
}

export interface Approver {
  readonly principal: string;
  readonly role: Role;
  readonly strength: 'device' | 'passkey';
  /** As of whoever answered. */
  readonly vouchedBy: readonly string[];
}

export interface GrantedAnswer {
  readonly kind: 'granted';
  readonly approvalId: string;
  readonly approvers: readonly Approver[];
  /** What they saw who said yes to this very call; absent where a grant of a wider shape covers it. */
  readonly shown?: CallPreview;
}

export type ApprovalAnswer =
  /** With `isDecided` what stood `alongside` is on record, and with it that the grant was used. */
  (GrantedAnswer & { readonly isDecided?: boolean }) | DeniedAnswer;

export interface DeniedAnswer {
  readonly kind: 'denied';
  readonly approvalId: string;
  readonly reason: string;
  /** What whoever asked can do about it. */
  readonly help?: string;
}
