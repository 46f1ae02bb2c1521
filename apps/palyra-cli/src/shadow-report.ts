import { PalyraError } from '@palyra/kernel';
import { type BacktestReport, BacktestReportSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from './command.ts';
import type { Exit } from './exit-codes.ts';
import { exitOfBacktest, printBacktest } from './render/backtest.ts';
import { wireJson } from './wire-json.ts';

/** What a shadow would have decided otherwise. */
export function showShadow(
  invocation: Invocation,
  { report }: { readonly report?: BacktestReport | undefined },
): Exit {
  const { terminal } = invocation.shell;
  if (report === undefined) {
    throw new PalyraError('UNEXPECTED', 'the gateway answered without a report');
  }
  if (wantsJson(invocation)) {
    terminal.json('shadow', { report: wireJson(BacktestReportSchema, report) });
  } else {
    printBacktest(terminal, report);
  }
  return exitOfBacktest(report);
}
