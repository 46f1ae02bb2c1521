import { type Run, RunSchema } from '@palyra/protocol';
import { type Invocation, count, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printTable } from '../../render/layout.ts';
import { inline, shortTime, statusWord } from '../../render/words.ts';
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
    printTable(terminal, ['run', 'status', 'started (UTC)', 'calls', 'prompt'], runs.map(row));
  }
  return 'ok';
}

function row(one: Run): readonly string[] {
  const { runId, status, startedAt, toolCalls, prompt } = one;
  return [
    inline(runId),
    statusWord(status),
    shortTime(startedAt).slice(0, -3),
    String(toolCalls),
    inline(prompt),
  ];
}
