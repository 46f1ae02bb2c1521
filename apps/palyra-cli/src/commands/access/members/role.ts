import { type Invocation, argument } from '../../../command.ts';
import { daemonOf } from '../../../daemon.ts';
import type { Exit } from '../../../exit-codes.ts';
import { roleOf, showMember } from '../../../one-member.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const member = argument(invocation, 0);
  const role = roleOf(argument(invocation, 1));
  const { members } = daemonOf(invocation.shell);
  return showMember(invocation, (await members.changeRole({ member, role })).member);
}
