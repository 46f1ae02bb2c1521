import { type Invocation, argument } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { showRun } from '../../one-run.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const answer = await daemonOf(invocation.shell).runs.cancelRun({
    runId: argument(invocation, 0),
  });
  return showRun(invocation, answer.run);
}
