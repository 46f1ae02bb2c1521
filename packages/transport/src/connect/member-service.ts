import type { ServiceImpl } from '@connectrpc/connect';
import type { IdentityPort } from '@palyra/gateway';
import type { MemberService } from '@palyra/protocol';
import { callerIn } from '../auth/context.ts';
import { demandConfirmed } from './confirmed.ts';

export function memberService({
  members,
  passkeys,
}: Pick<IdentityPort, 'members' | 'passkeys'>): ServiceImpl<typeof MemberService> {
  return {
    listMembers: async () => ({ members: [...(await members.list())] }),
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
