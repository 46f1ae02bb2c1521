import { plural } from '@palyra/client';
import type { Terminal } from '../terminal.ts';
import { type Field, printFields } from './layout.ts';
import { type EndedRun, isResumable } from './resumable.ts';
import type { RunOutcome } from './run-outcome.ts';
import { spentWords } from './spent.ts';
import { inline, statusTone, statusWord } from './words.ts';

export interface Ending {
  readonly runId: string;
  readonly sessionId: string;
  readonly outcome: RunOutcome;
}

/** How a run came out, where it is recorded, and what one may want to do next. */
export function printEnding(terminal: Terminal, { runId, sessionId, outcome }: Ending): void {
  const { paint } = terminal;
  const word = paint(statusTone(outcome.status), statusWord(outcome.status));
  const refused =
    outcome.refused === 0
      ? ''
      : `, ${paint('warning', `${plural(outcome.refused, 'call')} refused`)}`;
  terminal.print(`\n${paint('strong', 'run')} ${word}${refused}\n`);
  const fields: Field[] = [
    ['run', inline(runId)],
    ['session', inline(sessionId)],
    ['journal', inline(outcome.lastEntryId)],
    ['used', spentWords(outcome.spent)],
  ];
  if (outcome.error !== undefined) {
    fields.push(['why', inline(outcome.error.message)], ['try', inline(outcome.error.help)]);
  }
  if (outcome.error === undefined || isResumable(outcome)) {
    fields.push(['next', nextStep(runId, outcome)]);
  }
  printFields(terminal, fields);
}

export function nextStep(runId: string, ended: EndedRun): string {
  const id = inline(runId);
  return isResumable(ended)
    ? `palyra runs resume ${id}`
    : `palyra journal export --run ${id} -o run.jsonl`;
}
