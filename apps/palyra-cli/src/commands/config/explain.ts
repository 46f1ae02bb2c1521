import { plural } from '@palyra/client';
import { type Json, type JsonObject, isErrorCode, isJsonObject } from '@palyra/kernel';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { originWords, readSetting, textOf, valueWords } from '../../config-answer.ts';
import { askDaemonProgram } from '../../daemon-program.ts';
import { type Exit, exitOfError } from '../../exit-codes.ts';
import { printProblem, problemsOf } from '../../render/config-problems.ts';
import { printFields } from '../../render/layout.ts';
import type { Terminal } from '../../terminal.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const answer = await askDaemonProgram(invocation.shell, [
    'config',
    'explain',
    argument(invocation, 0),
  ]);
  const problems = problemsOf(answer);
  if (wantsJson(invocation)) terminal.json('explanation', { explanation: answer });
  else printExplanation(terminal, answer, problems);
  return exitOf(problems);
}

/** As of the command that could not begin with such a configuration. */
function exitOf([first]: readonly JsonObject[]): Exit {
  if (first === undefined) return 'ok';
  const code = textOf(first, 'code');
  return exitOfError(isErrorCode(code) ? code : 'CONFIG_INVALID');
}

function printExplanation(
  terminal: Terminal,
  answer: JsonObject,
  problems: readonly JsonObject[],
): void {
  const { paint, symbols } = terminal;
  const { key, value, origin } = readSetting(answer);
  terminal.print(`${paint('strong', key)}  ${textOf(answer, 'description')}\n`);
  printFields(terminal, [
    ['takes', textOf(answer, 'takes')],
    ['default', valueWords(answer['default'])],
    ['variable', textOf(answer, 'environmentName')],
  ]);
  terminal.print('');
  // Nothing holds while the configuration is refused.
  if (problems.length === 0) {
    terminal.print(
      `  ${paint('good', symbols.done)} ${valueWords(value)}  ${paint('quiet', origin)}`,
    );
  } else {
    for (const problem of problems.filter((each) => each['key'] === key)) {
      const where = originWords(problem['origin']);
      terminal.print(`  ${paint('bad', symbols.failed)} refused  ${paint('quiet', where)}`);
    }
    printLayer(terminal, value, origin);
  }
  const losers = answer['losers'];
  for (const loser of Array.isArray(losers) ? losers.filter(isJsonObject) : []) {
    printLayer(terminal, loser['value'], originWords(loser['origin']));
  }
  printRefusals(terminal, key, problems);
}

function printLayer(terminal: Terminal, value: Json | undefined, origin: string): void {
  const { paint, symbols } = terminal;
  terminal.print(`  ${paint('quiet', `${symbols.none} ${valueWords(value)}  ${origin}`)}`);
}

/** What concerns the key, or a whole file that may speak of it; of the others, how many there are. */
function printRefusals(terminal: Terminal, key: string, problems: readonly JsonObject[]): void {
  if (problems.length === 0) return;
  terminal.print(`\n${terminal.paint('bad', 'The gateway does not start with this.')}`);
  const near = problems.filter((problem) => {
    return (textOf(problem, 'key') || key) === key || problem['code'] === 'CONFIG_CONTRADICTION';
  });
  for (const problem of near) printProblem(terminal, problem);
  const others = problems.length - near.length;
  if (others === 0) return;
  terminal.print(`\n  ${plural(others, 'other problem')}: \`palyra config validate\` lists all`);
}
