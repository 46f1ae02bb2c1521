import { parsePermission, permissionsOf } from '@palyra/kernel';
import { PrincipalKind } from '@palyra/protocol';
import type { Standing } from '../ports.ts';
import type { Caller } from './caller.ts';

/** What somebody may do at this moment who is not here to ask. */
export function callerOfStanding(
  standing: Standing,
): Pick<Caller, 'principal' | 'kind' | 'permissions' | 'member'> {
  const { principal, kind, member, name, role, scopes } = standing;
  const isToken = kind === PrincipalKind.TOKEN;
  const scoped = scopes.flatMap((word) => parsePermission(word) ?? []);
  return {
    principal,
    kind,
    permissions: isToken ? new Set(scoped) : permissionsOf(role),
    ...(member === '' ? {} : { member: { userId: member.slice('user:'.length), name, role } }),
  };
}
