import { RunSchema } from '@palyra/protocol';
import { type Invocation, count, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printRuns } from '../../render/runs.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const { runs } = await daemonOf(invocation.shell).runs.listRuns({
    limit: count(invocation, 'limit'),
    sessionId: invocation.text.get('session') ?? '',
  });
  if (wantsJson(invocation)) {
    terminal.json('runs', { runs: runs.map((one) => wireJson(RunSchema, one)) });
  } else if (runs.length === 0) {
    terminal.print('no runs yet; start one with `palyra run "…"`');
  } else {
    printRuns(terminal, runs);
  }
  return 'ok';
}
