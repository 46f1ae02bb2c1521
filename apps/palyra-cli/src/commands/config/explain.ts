import { plural } from '@palyra/client';
import { type JsonObject, isErrorCode, isJsonObject } from '@palyra/kernel';
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
  const { key } = readSetting(answer);
  terminal.print(`${terminal.paint('strong', key)}  ${textOf(answer, 'description')}\n`);
  printFields(terminal, [
    ['takes', textOf(answer, 'takes')],
    ['default', valueWords(answer['default'])],
    ['variable', textOf(answer, 'environmentName')],
  ]);
  terminal.print('');
  printLayers(terminal, answer, problems);
  printRefusals(terminal, key, problems);
}

function printLayers(
  terminal: Terminal,
  answer: JsonObject,
  problems: readonly JsonObject[],
): void {
  const { key, origin } = readSetting(answer);
  // What only contradicts another key is good by itself, and is told of as the value that wins.
  const refused = problems
    .filter((problem) => problem['key'] === key)
    .map((problem) => originWords(problem['origin']))
    .filter((where) => where !== origin);
  const isOutdone = textOf(answer, 'standing') === 'refused';
  if (!isOutdone) printStrongest(terminal, answer);
  for (const where of refused) {
    const mark = terminal.paint('bad', terminal.symbols.failed);
    terminal.print(`  ${mark} refused  ${terminal.paint('quiet', where)}`);
  }
  if (isOutdone) printLayer(terminal, answer);
  const losers = answer['losers'];
  for (const loser of Array.isArray(losers) ? losers.filter(isJsonObject) : []) {
    printLayer(terminal, loser);
  }
}

/** The one that wins, or would if the gateway started. */
function printStrongest(terminal: Terminal, answer: JsonObject): void {
  const { paint, symbols } = terminal;
  const { value, origin } = readSetting(answer);
  const isSure = textOf(answer, 'standing') !== 'unread';
  const mark = isSure ? paint('good', symbols.done) : paint('warning', symbols.warning);
  const doubt = isSure ? '' : ', unless a file that cannot be read sets it';
  terminal.print(`  ${mark} ${valueWords(value)}  ${paint('quiet', `${origin}${doubt}`)}`);
}

function printLayer(terminal: Terminal, layer: JsonObject): void {
  const { value, origin } = readSetting(layer);
  const words = `${terminal.symbols.none} ${valueWords(value)}  ${origin}`;
  terminal.print(`  ${terminal.paint('quiet', words)}`);
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
