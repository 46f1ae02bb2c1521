import { RunSchema, SessionSchema } from '@palyra/protocol';
import { type Invocation, argument, count, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { givenSession } from '../../one-session.ts';
import { printRuns } from '../../render/runs.ts';
import { printSession } from '../../render/sessions.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const sessionId = argument(invocation, 0);
  const session = givenSession((await client.sessions.getSession({ sessionId })).session);
  const { runs } = await client.runs.listRuns({ sessionId, limit: count(invocation, 'limit') });
  if (wantsJson(invocation)) {
    terminal.json('session', {
      session: wireJson(SessionSchema, session),
      runs: runs.map((one) => wireJson(RunSchema, one)),
    });
    return 'ok';
  }
  printSession(terminal, session);
  terminal.print('');
  if (runs.length === 0) terminal.print('no runs yet');
  else printRuns(terminal, runs);
  return 'ok';
}
