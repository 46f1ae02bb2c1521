import type {
  DecisionKind,
  Permission,
  PolicyGate,
  PolicyRequest,
  PrincipalKind,
  Role,
  ToolProposal,
} from '@palyra/protocol';
import type { GrantedApproval } from '../approvals/approval-port.ts';
import type { Caller } from '../identity/caller.ts';
import type { TaintLabel } from '../run/taint.ts';
import type { Connecting, ExecutionPlace } from '../sandbox/sandbox-port.ts';

export interface PolicyPort {
  /**
   * Contract: whatever cannot be decided is a `deny`. Asked a second time, with the approval, when
   * a person has said yes: policy decides whether that suffices.
   */
  judge(call: JudgedCall, approval?: GrantedApproval): Promise<Judgement>;
  /**
   * Whether the rules let a caller do what a permission is for; `undefined` for what is open to
   * every caller. Asked once the caller is known to have the permission, so it can only take away.
   * Contract: rejects with PERMISSION_DENIED, which names the rule; the journal has it by then.
   */
  authorise(caller: Caller, permission: Permission | undefined): Promise<void>;
  /** Journals that a caller was refused for want of a permission. Contract: never rejects. */
  turnAway(caller: Caller, permission: Permission, reason: string): Promise<void>;
  /**
   * Whether the rules let a caller do this with the runs and sessions of somebody, or work in a folder.
   * Contract: rejects with PERMISSION_DENIED, which names the rule; the journal has it by then.
   */
  touch(caller: Toucher, touches: WorkTouched | WorkspaceTouched): Promise<void>;
  /**
   * Whether the rules let a call that they allowed connect somewhere, asked for each connection.
   * Contract: a no is in the journal by then; rejects when they cannot be asked.
   */
  mayConnect(connection: JudgedConnection): Promise<boolean>;
  /** The same as a question, for lists: who is shown less was refused nothing, so nothing is journaled. */
  mayTouch(caller: Toucher, touches: WorkTouched): Promise<boolean>;
}

/** What rules are told of whoever touches a run or session. */
export type Toucher = Pick<
  Caller,
  'principal' | 'actor' | 'kind' | 'permissions' | 'member' | 'deviceId'
> & { readonly channel: string };

export interface WorkTouched {
  readonly action: WorkAction;
  /** Whose it is, `user:01J…`; or `everybody`. */
  readonly owner: string;
}

export interface WorkspaceTouched {
  readonly action: 'workspace.open';
  /** Absolute, without links. */
  readonly workspace: string;
}

export interface JudgedConnection {
  /** For whom the call is made, and who makes it. */
  readonly behind: {
    readonly principal: string;
    readonly actor: string;
    readonly channel: string;
    readonly deviceId: string;
  };
  /** What the rules were asked about the call when they allowed it. */
  readonly asked: PolicyRequest;
  readonly to: Connecting;
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
