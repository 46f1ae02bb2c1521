import type { ServiceImpl } from '@connectrpc/connect';
import type { IdentityPort } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import type { MemberService } from '@palyra/protocol';
import { callerIn } from '../auth/context.ts';
import { demandConfirmed } from './confirmed.ts';
import { requireId } from './wire-words.ts';

const MOST_NAMES = 100;

export function memberService({
  members,
  passkeys,
}: Pick<IdentityPort, 'members' | 'passkeys'>): ServiceImpl<typeof MemberService> {
  return {
    listMembers: async () => ({ members: [...(await members.list())] }),
    async nameMembers({ userIds }) {
      const wanted = idsAmong(userIds);
      const named = (await members.list()).filter(({ userId }) => wanted.has(userId));
      return { names: Object.fromEntries(named.map(({ userId, name }) => [userId, name])) };
    },
    async addMember(request, { values }) {
      await demandConfirmed(passkeys, { case: 'member', value: request }, values);
      return { member: await members.add(request.name, request.role, callerIn(values)) };
    },
    // Every change, not only one upwards: which way it goes is known for sure when it is written.
    async changeRole(request, { values }) {
      await demandConfirmed(passkeys, { case: 'role', value: request }, values);
      const { member, role } = request;
      return { member: await members.changeRole(member, role, callerIn(values)) };
    },
    removeMember: async ({ member }, { values }) => ({
      member: await members.remove(member, callerIn(values)),
    }),
    exportAccess: async () => ({ registryJson: await members.export() }),
  };
}

/** Contract: INVALID_INPUT for anything but ids, so that nobody comes to be found by guessing. */
function idsAmong(userIds: readonly string[]): ReadonlySet<string> {
  if (userIds.length > MOST_NAMES) {
    throw new PalyraError('INVALID_INPUT', `\`user_ids\` has more than ${MOST_NAMES} of them`);
  }
  return new Set(userIds.map((userId) => requireId(userId, 'user_ids')));
}
