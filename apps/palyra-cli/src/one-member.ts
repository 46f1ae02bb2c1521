import { PalyraError } from '@palyra/kernel';
import { type Member, MemberSchema, Role } from '@palyra/protocol';
import { type Invocation, wantsJson } from './command.ts';
import type { Exit } from './exit-codes.ts';
import type { People } from './people.ts';
import { printMembers } from './render/access.ts';
import { UsageError } from './usage-error.ts';
import { wireJson } from './wire-json.ts';

export const ROLE_WORDS = ['operator', 'admin', 'owner'] as const;

/** Shows the member that a call answered with. */
export function showMember(
  invocation: Invocation,
  member: Member | undefined,
  people: People,
): Exit {
  const { terminal } = invocation.shell;
  if (member === undefined) {
    throw new PalyraError('UNEXPECTED', 'the gateway answered without a member');
  }
  if (wantsJson(invocation)) terminal.json('member', { member: wireJson(MemberSchema, member) });
  else printMembers(terminal, [member], people);
  return 'ok';
}

export function roleOf(word: string): Role {
  const roles = { operator: Role.OPERATOR, admin: Role.ADMIN, owner: Role.OWNER };
  const found = ROLE_WORDS.find((role) => role === word);
  if (found !== undefined) return roles[found];
  throw new UsageError(`\`${word}\` is no role`, `give one of ${ROLE_WORDS.join(', ')}`);
}
