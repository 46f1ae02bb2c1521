import { type BacktestReport, BacktestReportSchema } from '@palyra/protocol';
import { PalyraError, systemClock } from '@palyra/kernel';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { candidateOf } from '../../policy-candidate.ts';
import { exitOfBacktest, printBacktest } from '../../render/backtest.ts';
import { sinceTime } from '../../since.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const report = await backtest(invocation).finally(() => terminal.progress(''));
  if (wantsJson(invocation)) {
    terminal.json('backtest', { report: wireJson(BacktestReportSchema, report) });
  } else {
    printBacktest(terminal, report);
  }
  return exitOfBacktest(report);
}

async function backtest(invocation: Invocation): Promise<BacktestReport> {
  const { terminal } = invocation.shell;
  const candidate = await candidateOf(argument(invocation, 0));
  const since = invocation.text.get('since');
  const time = since === undefined ? '' : sinceTime(since, systemClock().now());
  const steps = daemonOf(invocation.shell).policy.backtestPolicy({ candidate, since: time });
  for await (const { report, decided, read, total } of steps) {
    if (report !== undefined) return report;
    terminal.progress(`${decided} calls decided again, entry ${read} of ${total}`);
  }
  throw new PalyraError('UNEXPECTED', 'the gateway ended without a report');
}
