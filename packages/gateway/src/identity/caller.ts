import { PalyraError, isForPeopleOnly, permissionWord } from '@palyra/kernel';
import { type Permission, PrincipalKind, type Role } from '@palyra/protocol';

/** Whose doing something is. */
export interface Actor {
  /** As the journal names them: `user:01J…`, `token:01J…`. */
  readonly principal: string;
}

/** Who asks, as the transport has proven it, and what they may do at this moment. */
export interface Caller extends Actor {
  readonly kind: PrincipalKind;
  readonly permissions: ReadonlySet<Permission>;
  /** The member for whom they act; absent for what acts for nobody. */
  readonly member?: CallerMember;
  /** Absent for a token. */
  readonly deviceId?: string;
}

export interface CallerMember {
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
}

/** Contract: throws PERMISSION_DENIED unless the caller may. */
export function demand(caller: Caller, permission: Permission): void {
  const isPerson = caller.kind === PrincipalKind.USER;
  const mayHave = isPerson || !isForPeopleOnly(permission);
  if (mayHave && caller.permissions.has(permission)) return;
  throw new PalyraError(
    'PERMISSION_DENIED',
    `\`${caller.principal}\` lacks the permission \`${permissionWord(permission)}\``,
  );
}
