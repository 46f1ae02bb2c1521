import type { ServiceImpl } from '@connectrpc/connect';
import type { MembersPort } from '@palyra/gateway';
import type { MemberService } from '@palyra/protocol';
import { callerIn } from '../auth/context.ts';

export function memberService(members: MembersPort): ServiceImpl<typeof MemberService> {
  return {
    listMembers: async () => ({ members: [...(await members.list())] }),
    addMember: async ({ name, role }, { values }) => ({
      member: await members.add(name, role, callerIn(values)),
    }),
    changeRole: async ({ member, role }, { values }) => ({
      member: await members.changeRole(member, role, callerIn(values)),
    }),
    removeMember: async ({ member }, { values }) => ({
      member: await members.remove(member, callerIn(values)),
    }),
    exportAccess: async () => ({ registryJson: await members.export() }),
  };
}
