import { plural } from '@palyra/client';
import { type JsonObject, isJsonObject } from '@palyra/kernel';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { readSetting, textOf, valueWords } from '../../config-answer.ts';
import { askDaemonProgram } from '../../daemon-program.ts';
import type { Exit } from '../../exit-codes.ts';
import { printProblem, problemsOf } from '../../render/config-problems.ts';
import { inline } from '../../render/words.ts';
import type { Terminal } from '../../terminal.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const [key, text] = [argument(invocation, 0), argument(invocation, 1)];
  const answer = await askDaemonProgram(invocation.shell, ['config', 'set', key, text]);
  const file = textOf(answer, 'file');
  if (wantsJson(invocation)) {
    const { value, origin } = answer;
    const problems = problemsOf(answer);
    terminal.json('set', { key, file, value: value ?? null, origin: origin ?? null, problems });
  } else {
    const mark = terminal.paint('good', terminal.symbols.done);
    terminal.print(`${mark} ${inline(key)} is set in ${file}`);
    printEffect(terminal, answer);
  }
  return 'ok';
}

/** What was written need not be what holds: the environment, say, is stronger than the file. */
function printEffect(terminal: Terminal, answer: JsonObject): void {
  const { value, origin } = readSetting(answer);
  const problems = problemsOf(answer);
  if (problems.length > 0) {
    const mark = terminal.paint('bad', terminal.symbols.failed);
    terminal.print(
      `${mark} the gateway does not start yet: ${plural(problems.length, 'problem')} left`,
    );
    for (const problem of problems) printProblem(terminal, problem);
    return;
  }
  if (isJsonObject(answer['origin']) && answer['origin']['kind'] === 'user') {
    terminal.print(terminal.paint('quiet', '  a running gateway takes it up at its next start'));
  } else {
    const mark = terminal.paint('warning', terminal.symbols.warning);
    terminal.print(`${mark} a stronger layer still says ${valueWords(value)}: ${origin}`);
  }
}
