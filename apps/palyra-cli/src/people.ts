import type { PalyraClient } from '@palyra/client';
import { PalyraError } from '@palyra/kernel';
import { type Member, Role } from '@palyra/protocol';
import { type Invocation, wantsJson } from './command.ts';
import { inline } from './render/words.ts';

/** Who is behind the ids that the gateway answers with. */
export interface People {
  /** Contract: the id itself for somebody who is not known. */
  nameOf(userId: string): string;
  /** Contract: UNSPECIFIED for somebody who is not known. */
  roleOf(userId: string): Role;
  /** A principal as the journal names it, with names for ids where they are known. */
  wordsOf(principal: string): string;
}

/** Contract: nobody is known to somebody who may not see the members; scripts get ids anyway. */
export async function peopleOf(
  invocation: Invocation,
  { members }: Pick<PalyraClient, 'members'>,
): Promise<People> {
  if (wantsJson(invocation) || invocation.flags.has('quiet')) return peopleAmong([]);
  try {
    return peopleAmong((await members.listMembers({})).members);
  } catch (reason) {
    if (PalyraError.from(reason).code === 'PERMISSION_DENIED') return peopleAmong([]);
    throw reason;
  }
}

export function peopleAmong(members: readonly Member[]): People {
  const known = new Map(members.map((member) => [member.userId, member]));
  const nameOf = (userId: string) => inline(known.get(userId)?.name ?? userId);
  return {
    nameOf,
    roleOf: (userId) => known.get(userId)?.role ?? Role.UNSPECIFIED,
    wordsOf: (principal) =>
      inline(principal).replaceAll(/\buser:([0-9A-Z]{26})\b/g, (whole, userId: string) =>
        known.has(userId) ? nameOf(userId) : whole,
      ),
  };
}
