import { type JsonObject, isJsonObject } from '@palyra/kernel';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { originWords, readSetting, textOf, valueWords } from '../../config-answer.ts';
import { askDaemonProgram } from '../../daemon-program.ts';
import type { Exit } from '../../exit-codes.ts';
import { printFields } from '../../render/layout.ts';
import type { Terminal } from '../../terminal.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const answer = await askDaemonProgram(invocation.shell, [
    'config',
    'explain',
    argument(invocation, 0),
  ]);
  if (wantsJson(invocation)) terminal.json('explanation', { explanation: answer });
  else printExplanation(terminal, answer);
  return 'ok';
}

function printExplanation(terminal: Terminal, answer: JsonObject): void {
  const { paint, symbols } = terminal;
  const { key, value, origin } = readSetting(answer);
  terminal.print(`${paint('strong', key)}  ${textOf(answer, 'description')}\n`);
  printFields(terminal, [
    ['takes', textOf(answer, 'takes')],
    ['default', valueWords(answer['default'])],
    ['variable', textOf(answer, 'environmentName')],
  ]);
  terminal.print(
    `\n  ${paint('good', symbols.done)} ${valueWords(value)}  ${paint('quiet', origin)}`,
  );
  const losers = answer['losers'];
  for (const loser of Array.isArray(losers) ? losers.filter(isJsonObject) : []) {
    const line = `${symbols.none} ${valueWords(loser['value'])}  ${originWords(loser['origin'])}`;
    terminal.print(`  ${paint('quiet', line)}`);
  }
}
