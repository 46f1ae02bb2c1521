import { type Invocation, argument } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showSession } from '../../one-session.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const answer = await daemonOf(invocation.shell).sessions.branchSession({
    runId: argument(invocation, 0),
    title: invocation.text.get('title') ?? '',
  });
  return showSession(invocation, answer.session);
}
