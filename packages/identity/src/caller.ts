import type { Permission, PrincipalKind, Role } from '@palyra/protocol';

/** Whose doing something is. */
export interface Actor {
  /** For whom something is done, and whose rights count: `user:01J…`, `token:01J…`. */
  readonly principal: string;
  /** As the journal names them: a person with what they act through, `user:01J… via device:01J…`. */
  readonly actor: string;
}

/** Who asks, as it was proven, and what they may do at this moment. */
export interface Caller extends Actor {
  readonly kind: PrincipalKind;
  readonly permissions: ReadonlySet<Permission>;
  /** The member for whom they act; absent for what acts for nobody. */
  readonly member?: CallerMember;
  /** The device that holds the key they proved; absent for a token and for a console session. */
  readonly deviceId?: string;
  /** SHA-256 of the certificate that they showed, in hex; only for a device. */
  readonly certificateFingerprint?: string;
  /** The device that they act through, and those through which that was made; the nearest last. */
  readonly through?: readonly string[];
  /**
   * People who could have come in their place: who let in the device, who let in theirs, and so on up to
   * the gateway's own machine; `anybody` where that is not known. Absent for what is no person.
   */
  readonly vouchedBy?: readonly string[];
  /** The door through which they come, in the words of the rules. */
  readonly channel: Channel;
}

export type Channel = 'cli' | 'desktop' | 'console' | 'api' | 'worker';

/** Whose rights something has at this moment, though nobody is calling. */
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

export interface CallerMember {
  readonly userId: string;
  readonly name: string;
  /** Theirs, or that to which the device is limited through which they act, whichever is less. */
  readonly role: Role;
}

/** The actor of what no caller asked for. */
export const GATEWAY = 'gateway';
