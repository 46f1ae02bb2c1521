import { SessionSchema } from '@palyra/protocol';
import { type Invocation, count, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printSessions } from '../../render/sessions.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const { sessions } = await daemonOf(invocation.shell).sessions.listSessions({
    limit: count(invocation, 'limit'),
    beforeSessionId: invocation.text.get('before') ?? '',
    withArchived: invocation.flags.has('archived'),
  });
  if (wantsJson(invocation)) {
    terminal.json('sessions', { sessions: sessions.map((one) => wireJson(SessionSchema, one)) });
  } else if (sessions.length === 0) {
    terminal.print('no sessions; `palyra run "…"` begins one');
  } else {
    printSessions(terminal, sessions);
  }
  return 'ok';
}
