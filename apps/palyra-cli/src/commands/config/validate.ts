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
  const words = file === undefined ? [] : [resolve(file)];
  const answer = await rawAnswer(shell, ['config', 'validate', ...words]);
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
    printVerdict(terminal, file, problems);
  }
  // Also of a setting that asks for what is not built: what is judged here is the configuration.
  return problems.length === 0 ? 'ok' : exitOfError('CONFIG_INVALID');
}

/** A file that cannot be read need not be one of the gateway's: it may just be the wrong name. */
function aboutFile(problem: JsonObject, file: string): JsonObject {
  const { code, origin } = problem;
  const isWhole = isJsonObject(origin) && !('line' in origin) && !('key' in problem);
  if (code !== 'CONFIG_INVALID' || !isWhole) return problem;
  return { ...problem, help: `mend \`${file}\`, or name another file` };
}

function printVerdict(
  terminal: Terminal,
  file: string | undefined,
  problems: readonly JsonObject[],
): void {
  const { paint, symbols } = terminal;
  if (problems.length === 0) {
    const bounds = file === undefined ? '' : ' by itself, without the other layers';
    return terminal.print(paint('good', `${symbols.done} valid${bounds}`));
  }
  terminal.print(paint('bad', `${symbols.failed} ${plural(problems.length, 'problem')}`));
  for (const problem of problems) printProblem(terminal, problem);
}
