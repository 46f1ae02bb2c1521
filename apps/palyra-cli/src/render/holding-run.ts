import { plural } from '@palyra/client';
import { type HoldingRun, RunStatus } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { type Field, printFields } from './layout.ts';
import { inline } from './words.ts';

/** The run for which sealed segments stay in the store, and what lets them go. */
export function printHoldingRun(terminal: Terminal, run: HoldingRun): void {
  const stays = `${plural(run.segments, 'sealed segment')}, for a run that ${stateWords(run.status)}`;
  const next = waysOut(run).map((line, place): Field => [place === 0 ? 'next' : 'or', line]);
  printFields(terminal, [['stays', stays], ['run', inline(run.runId)], ...next]);
}

/** Only what was interrupted can be taken up again; what goes on also ends by itself. */
export function waysOut({ runId, status }: HoldingRun): readonly string[] {
  const id = inline(runId);
  const cancel = `palyra runs cancel ${id}`;
  return status === RunStatus.INTERRUPTED ? [`palyra runs resume ${id}`, cancel] : [cancel];
}

function stateWords(status: RunStatus): string {
  if (status === RunStatus.INTERRUPTED) return 'was interrupted and may go on';
  return status === RunStatus.QUEUED ? 'waits for the one before it' : 'goes on';
}
