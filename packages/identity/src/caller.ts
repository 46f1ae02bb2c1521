import type { Permission, PrincipalKind, Role } from '@palyra/protocol';

/** Whose doing something is. */
export interface Actor {
  /** As the journal names them: `user:01J…`, `token:01J…`. */
  readonly principal: string;
}

/** Who asks, as it was proven, and what they may do at this moment. */
export interface Caller extends Actor {
  readonly kind: PrincipalKind;
  readonly permissions: ReadonlySet<Permission>;
  /** The member for whom they act; absent for what acts for nobody. */
  readonly member?: CallerMember;
  /** The device that holds the key they proved; absent for a token and for a console session. */
  readonly deviceId?: string;
}

export interface CallerMember {
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
}

/** The actor of what no caller asked for. */
export const GATEWAY = 'gateway';
