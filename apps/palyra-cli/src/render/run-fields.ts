import { hideSecretsIn } from '@palyra/kernel';
import type { Run } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { type Field, printFields } from './layout.ts';
import { inline, shortTime, statusTone, statusWord } from './words.ts';

export function printRun(terminal: Terminal, run: Run): void {
  const status = terminal.paint(statusTone(run.status), statusWord(run.status));
  terminal.print(`${terminal.paint('strong', `run ${inline(run.runId)}`)} ${status}\n`);
  const fields: Field[] = [
    ['prompt', inline(hideSecretsIn(run.prompt))],
    ['session', inline(run.sessionId)],
    ['model', inline(run.model)],
    ['by', inline(run.principal)],
    ['started', `${shortTime(run.startedAt)} UTC`],
    ['ended', run.endedAt === '' ? 'not yet' : `${shortTime(run.endedAt)} UTC`],
    ['tool calls', String(run.toolCalls)],
  ];
  if (run.error !== undefined) {
    fields.push(['why', inline(run.error.message)], ['try', inline(run.error.help)]);
  }
  printFields(terminal, fields);
}
