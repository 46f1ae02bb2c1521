import { type Invocation, wantsJson } from '../../command.ts';
import { readSettings, valueWords } from '../../config-answer.ts';
import { askDaemonProgram } from '../../daemon-program.ts';
import type { Exit } from '../../exit-codes.ts';
import { printTable } from '../../render/layout.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const answer = await askDaemonProgram(invocation.shell, ['config', 'show']);
  if (wantsJson(invocation)) {
    terminal.json('config', { settings: answer['settings'] ?? [] });
    return 'ok';
  }
  const rows = readSettings(answer).map(({ key, value, origin }) => [
    key,
    valueWords(value),
    origin,
  ]);
  printTable(terminal, ['key', 'value', 'from'], rows);
  return 'ok';
}
