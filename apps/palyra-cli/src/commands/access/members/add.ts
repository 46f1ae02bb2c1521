import { type Invocation, argument } from '../../../command.ts';
import { daemonOf } from '../../../daemon.ts';
import type { Exit } from '../../../exit-codes.ts';
import { roleOf, showMember } from '../../../one-member.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const name = argument(invocation, 0);
  const role = roleOf(invocation.text.get('role') ?? 'operator');
  const { members } = daemonOf(invocation.shell);
  return showMember(invocation, (await members.addMember({ name, role })).member);
}
