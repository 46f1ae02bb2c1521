import type { PalyraClient } from '@palyra/client';
import { type Run, RunStatus } from '@palyra/protocol';
import { type Invocation, argument } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showRun } from '../../one-run.ts';
import { type Spent, UNKNOWN_OUTCOME, observe } from '../../render/run-outcome.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const client = daemonOf(invocation.shell);
  const { run: shown } = await client.runs.getRun({ runId: argument(invocation, 0) });
  const spent = shown === undefined ? undefined : await spentBy(client, shown);
  return showRun(invocation, shown, spent);
}

/** Counted from its events. Contract: `undefined` for a run that goes on, whose events do not end. */
async function spentBy(client: PalyraClient, { runId, status }: Run): Promise<Spent | undefined> {
  if (status === RunStatus.ACTIVE || status === RunStatus.QUEUED) return undefined;
  let outcome = UNKNOWN_OUTCOME;
  for await (const event of client.runs.watchRun({ runId })) outcome = observe(outcome, event);
  return outcome.spent;
}
