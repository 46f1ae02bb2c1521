import { plural } from '@palyra/client';
import { resolve } from 'node:path';
import { type JsonObject, isJsonObject } from '@palyra/kernel';
import { type Invocation, wantsJson } from '../../command.ts';
import { rawAnswer, toError } from '../../daemon-program.ts';
import { type Exit, exitOfError } from '../../exit-codes.ts';
import { printProblem, problemsOf } from '../../render/config-problems.ts';
import type { Terminal } from '../../terminal.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { shell } = invocation;
  const [file] = invocation.arguments;
  // A file is checked in the place where `PALYRA_CONFIG` would put it, among all other layers.
  const environment =
    file === undefined ? shell.environment : { ...shell.environment, PALYRA_CONFIG: resolve(file) };
  const answer = await rawAnswer({ ...shell, environment }, ['config', 'validate']);
  const fault = answer['error'];
  const told = isJsonObject(fault) ? problemsOf(fault) : [];
  const problems = file === undefined ? told : told.map((problem) => aboutFile(problem, file));
  // Something else than the configuration failed; that is told like any other fault.
  if (isJsonObject(fault) && problems.length === 0) throw toError(fault);

  const { terminal } = shell;
  if (wantsJson(invocation)) {
    const isValid = problems.length === 0;
    terminal.json('validation', { isValid, file: file ?? null, problems });
  } else {
    printVerdict(terminal, problems);
  }
  return isJsonObject(fault) ? exitOfError(toError(fault).code) : 'ok';
}

/** What is said of the whole file blames the variable, which we set and nobody else. */
function aboutFile(problem: JsonObject, file: string): JsonObject {
  const { code, origin } = problem;
  const isWhole = isJsonObject(origin) && origin['kind'] === 'named' && !('line' in origin);
  if (code !== 'CONFIG_INVALID' || !isWhole) return problem;
  return { ...problem, help: `mend \`${file}\`, or name another file` };
}

function printVerdict(terminal: Terminal, problems: readonly JsonObject[]): void {
  const { paint, symbols } = terminal;
  if (problems.length === 0) return terminal.print(paint('good', `${symbols.done} valid`));
  terminal.print(paint('bad', `${symbols.failed} ${plural(problems.length, 'problem')}`));
  for (const problem of problems) printProblem(terminal, problem);
}
