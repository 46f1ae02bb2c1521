import { Role } from '@palyra/protocol';
import { memberEntity } from '../request/member.ts';
import { reference } from '../request/words.ts';
import type { ProbedPrincipal } from './principals.ts';
import type { Resource } from './target.ts';

/** So many of those whom rules name are asked for one by one. */
const MAX_MEMBERS = 4;

const ROLES = [
  [Role.OPERATOR, 'an operator'],
  [Role.ADMIN, 'an admin'],
  [Role.OWNER, 'an owner'],
] as const;

/** Who may be changed, let in or shut out: somebody of each role, themselves, and whomever rules name. */
export function memberTargets(named: ReadonlySet<string>): readonly Resource[] {
  const users = [...named].slice(0, MAX_MEMBERS);
  return ROLES.flatMap(([role, label]) => [
    memberTarget('somebody-else', role, label),
    { ...memberTarget('unnamed', role, `themselves as ${label}`), attributes: themselves },
    memberTarget('', role, `somebody new as ${label}`),
    ...users.map((id) => memberTarget(id, role, `user:${id} as ${label}`)),
  ]);
}

function memberTarget(userId: string, role: Role, label: string): Resource {
  const { uid, attrs, parents } = memberEntity({ userId, role });
  return {
    resource: uid,
    label,
    family: '',
    capabilities: [],
    attributes: () => attrs,
    parents,
  };
}

function themselves({ facts: { principal } }: ProbedPrincipal): ReturnType<Resource['attributes']> {
  return { user: reference('User', principal.id) };
}
