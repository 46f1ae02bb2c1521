import { PalyraError } from '@palyra/kernel';
import { type Run, RunSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from './command.ts';
import type { Exit } from './exit-codes.ts';
import { printRun } from './render/run-fields.ts';
import { wireJson } from './wire-json.ts';

/** Shows the run that a call answered with. */
export function showRun(invocation: Invocation, run: Run | undefined): Exit {
  const { terminal } = invocation.shell;
  if (run === undefined) throw new PalyraError('UNEXPECTED', 'the daemon answered without a run');
  if (wantsJson(invocation)) terminal.json('run', { run: wireJson(RunSchema, run) });
  else printRun(terminal, run);
  return 'ok';
}
