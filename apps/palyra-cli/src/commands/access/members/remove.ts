import { quote } from '@palyra/kernel';
import { type Invocation, argument } from '../../../command.ts';
import { consents } from '../../../consent.ts';
import { daemonOf } from '../../../daemon.ts';
import type { Exit } from '../../../exit-codes.ts';
import { showMember } from '../../../one-member.ts';
import { peopleOf } from '../../../people.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const member = argument(invocation, 0);
  const question = `remove ${quote(member)}, with every device, token and session of theirs?`;
  if (!(await consents(invocation, question))) return 'ok';
  const client = daemonOf(invocation.shell);
  const people = await peopleOf(invocation, client);
  const answer = await client.members.removeMember({ member });
  return showMember(invocation, answer.member, people);
}
