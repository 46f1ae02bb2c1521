import { PalyraError, quote } from '@palyra/kernel';
import { PrincipalKind, Role } from '@palyra/protocol';
import type { Caller, CallerMember } from '../caller.ts';

/** What somebody is who has the one and is limited to the other. */
export function lesserRole(role: Role, limit: Role): Role {
  return role > limit ? limit : role;
}

/** Contract: throws INVALID_INPUT for a number that is no role. */
export function checkRole(role: Role): void {
  const isRole = role === Role.OPERATOR || role === Role.ADMIN || role === Role.OWNER;
  if (!isRole) throw new PalyraError('INVALID_INPUT', 'a member is operator, admin or owner');
}

/**
 * Access is changed by people only: what a token or a device asks for is refused here too,
 * whatever the permissions say.
 */
export function actingMember(caller: Caller): CallerMember {
  if (caller.kind === PrincipalKind.USER && caller.member !== undefined) return caller.member;
  throw new PalyraError('PERMISSION_DENIED', `${quote(caller.principal)} is not a person`);
}
