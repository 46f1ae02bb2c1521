import type { Invocation } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { namedWorkspace } from '../../named-workspace.ts';
import { showSession } from '../../one-session.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const answer = await daemonOf(invocation.shell).sessions.createSession({
    title: invocation.text.get('title') ?? '',
    workspace: namedWorkspace(invocation),
  });
  return showSession(invocation, answer.session);
}
