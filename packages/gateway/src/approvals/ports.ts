import type {
  ApprovalGrant,
  ApprovalRecord,
  ApprovalStatus,
  GrantScope,
  GrantShape,
  Role,
  ToolProposal,
} from '@palyra/protocol';

/** Questions as people see and answer them. */
export interface ApprovalDesk {
  /** Newest first, read as they are taken: each may be large. UNSPECIFIED for any. */
  list(status: ApprovalStatus, limit: number): AsyncIterable<ApprovalRecord>;
  /** Contract: rejects with NOT_FOUND. */
  get(approvalId: string): Promise<ShownApproval>;
  /** Contract: of answers that race one wins; the others get APPROVAL_CLOSED. */
  answer(given: GivenAnswer, who: Answerer): Promise<Answered>;
  /** Contract: called after each change is durable; a watcher does not throw or wait. */
  watch(watcher: (record: ApprovalRecord) => void): Disposable;
  /** Whether a grant of this shape would cover the call. */
  covers(shape: GrantShape, proposal: ToolProposal): boolean;
  grants(): Promise<readonly ApprovalGrant[]>;
  revoke(grantId: string, who: Pick<Answerer, 'actor'>): Promise<ApprovalGrant>;
}

export interface ShownApproval {
  readonly record: ApprovalRecord;
  /** What may be granted instead of this call alone, narrowest first. */
  readonly offers: readonly OfferedShape[];
}

export interface OfferedShape {
  readonly name: string;
  readonly says: string;
  readonly shape: GrantShape;
}

export interface GivenAnswer {
  readonly approvalId: string;
  /** What the person saw. */
  readonly fingerprint: string;
  readonly answer: 'granted' | 'denied';
  readonly reason: string;
  readonly scope: GrantScope;
  readonly shape: string;
  readonly until: Date | undefined;
  readonly uses: number;
}

export interface Answerer {
  readonly principal: string;
  readonly actor: string;
  readonly role: Role;
  readonly strength: 'device' | 'passkey';
  readonly channel: string;
  /** People who could have answered in their place: those who let in the device. */
  readonly vouchedBy: readonly string[];
}

export interface Answered {
  readonly record: ApprovalRecord;
  readonly grant: ApprovalGrant | undefined;
}
