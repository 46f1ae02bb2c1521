import type { MembersPort } from '@palyra/gateway';
import { Role } from '@palyra/protocol';

/** The role of a person at this moment. Contract: UNSPECIFIED for whoever is no member any more. */
export async function roleOf(members: Pick<MembersPort, 'list'>, principal: string): Promise<Role> {
  const member = (await members.list()).find(({ userId }) => `user:${userId}` === principal);
  return member?.role ?? Role.UNSPECIFIED;
}
