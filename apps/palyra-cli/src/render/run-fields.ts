import { type Run, StopReason } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { nextStep } from './ending.ts';
import { type Field, printFields } from './layout.ts';
import { isResumable } from './resumable.ts';
import type { Spent } from './run-outcome.ts';
import { spentWords } from './spent.ts';
import {
  inline,
  inlineWithoutSecrets,
  shortTime,
  statusTone,
  statusWord,
  stopReasonWord,
} from './words.ts';

/** What it used is absent where it was not counted. */
export function printRun(terminal: Terminal, run: Run, spent?: Spent): void {
  const status = terminal.paint(statusTone(run.status), statusWord(run.status));
  terminal.print(`${terminal.paint('strong', `run ${inline(run.runId)}`)} ${status}\n`);
  const fields: Field[] = [
    ['prompt', inlineWithoutSecrets(run.prompt)],
    ['session', inline(run.sessionId)],
    ['model', inline(run.model)],
    ['by', inline(run.principal)],
    ['started', `${shortTime(run.startedAt)} UTC`],
    ['ended', run.endedAt === '' ? 'not yet' : `${shortTime(run.endedAt)} UTC`],
    ...(run.stopReason === StopReason.UNSPECIFIED
      ? []
      : [['reason', stopReasonWord(run.stopReason)] as const]),
    ['tool calls', String(run.toolCalls)],
    ...(spent === undefined ? [] : [['used', spentWords(spent)] as const]),
  ];
  if (run.error !== undefined) {
    fields.push(['why', inline(run.error.message)], ['try', inline(run.error.help)]);
  }
  if (isResumable(run)) fields.push(['next', nextStep(run.runId, run)]);
  printFields(terminal, fields);
}
