import { type Invocation, argument } from '../../../command.ts';
import { daemonOf } from '../../../daemon.ts';
import type { Exit } from '../../../exit-codes.ts';
import { roleOf, showMember } from '../../../one-member.ts';
import { peopleOf } from '../../../people.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const name = argument(invocation, 0);
  const role = roleOf(invocation.text.get('role') ?? 'operator');
  const client = daemonOf(invocation.shell);
  const people = await peopleOf(invocation, client);
  const answer = await client.members.addMember({ name, role });
  return showMember(invocation, answer.member, people);
}
