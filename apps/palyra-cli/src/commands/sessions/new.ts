import type { Invocation } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showSession } from '../../one-session.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const answer = await daemonOf(invocation.shell).sessions.createSession({
    title: invocation.text.get('title') ?? '',
  });
  return showSession(invocation, answer.session);
}
