import { MemberSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../../command.ts';
import { daemonOf } from '../../../daemon.ts';
import type { Exit } from '../../../exit-codes.ts';
import { peopleAmong } from '../../../people.ts';
import { printMembers } from '../../../render/access.ts';
import { wireJson } from '../../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const { members } = await daemonOf(invocation.shell).members.listMembers({});
  if (wantsJson(invocation)) {
    terminal.json('members', { members: members.map((one) => wireJson(MemberSchema, one)) });
  } else {
    printMembers(terminal, members, peopleAmong(members));
  }
  return 'ok';
}
