import { PalyraError, isForPeopleOnly, permissionWord } from '@palyra/kernel';
import { type Permission, PrincipalKind, type Role } from '@palyra/protocol';

/** Whose doing something is. */
export interface Actor {
  /** For whom something is done, and whose rights count: `user:01J…`, `token:01J…`. */
  readonly principal: string;
  /** As the journal names them: a person with what they act through, `user:01J… via device:01J…`. */
  readonly actor: string;
}

/** Who asks, as the transport has proven it, and what they may do at this moment. */
export interface Caller extends Actor {
  readonly kind: PrincipalKind;
  readonly permissions: ReadonlySet<Permission>;
  /** The member for whom they act; absent for what acts for nobody. */
  readonly member?: CallerMember;
  /** Absent for a token. */
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

export interface CallerMember {
  readonly userId: string;
  readonly name: string;
  /** Theirs, or that to which the device is limited through which they act, whichever is less. */
  readonly role: Role;
}

/** What keeps a caller from what a permission is for, before any rule is asked; `undefined` for a holder. */
export function lackOf(caller: Caller, permission: Permission): PalyraError | undefined {
  const isPerson = caller.kind === PrincipalKind.USER;
  const mayHave = isPerson || !isForPeopleOnly(permission);
  if (mayHave && caller.permissions.has(permission)) return undefined;
  return new PalyraError(
    'PERMISSION_DENIED',
    `\`${caller.principal}\` lacks the permission \`${permissionWord(permission)}\``,
  );
}
