import type { PalyraClient } from '@palyra/client';
import { PalyraError, quote } from '@palyra/kernel';
import { type Invocation, argument } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showSession } from '../../one-session.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const client = daemonOf(invocation.shell);
  const runId = argument(invocation, 0);
  const title = invocation.text.get('title') ?? '';
  try {
    const { session } = await client.sessions.branchSession({ runId, title });
    return showSession(invocation, session);
  } catch (reason) {
    throw await explained(reason, client, runId);
  }
}

/** Somebody who has the id of a session at hand needs one of its runs. */
async function explained(reason: unknown, client: PalyraClient, id: string): Promise<unknown> {
  if (PalyraError.from(reason).code !== 'NOT_FOUND') return reason;
  try {
    await client.sessions.getSession({ sessionId: id });
  } catch {
    // Not that either: what was said first stands.
    return reason;
  }
  return new PalyraError('NOT_FOUND', `${quote(id)} is a session, and a branch begins at a run`, {
    cause: reason,
    help: `\`palyra runs list --session ${id}\` has its runs`,
  });
}
