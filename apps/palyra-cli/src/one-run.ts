import { type JsonObject, PalyraError } from '@palyra/kernel';
import { type Run, RunSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from './command.ts';
import type { Exit } from './exit-codes.ts';
import { printRun } from './render/run-fields.ts';
import type { Spent } from './render/run-outcome.ts';
import { wireJson } from './wire-json.ts';

/** Shows the run that a call answered with. */
export function showRun(invocation: Invocation, run: Run | undefined, spent?: Spent): Exit {
  const { terminal } = invocation.shell;
  if (run === undefined) throw new PalyraError('UNEXPECTED', 'the daemon answered without a run');
  if (wantsJson(invocation)) {
    const used = spent === undefined ? {} : { spent: spentJson(spent) };
    terminal.json('run', { run: wireJson(RunSchema, run), ...used });
  } else {
    printRun(terminal, run, spent);
  }
  return 'ok';
}

/** Numbers of 64 bits are text here too, as in all JSON of the protocol. */
export function spentJson({ modelTurns, tokens, costMicroUsd }: Spent): JsonObject {
  const cost = costMicroUsd === undefined ? {} : { costMicroUsd: String(costMicroUsd) };
  return { modelTurns, tokens: String(tokens), ...cost };
}
