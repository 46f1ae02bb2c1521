import { plural } from '@palyra/client';
import { resolve } from 'node:path';
import { PolicyProblemSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import type { Exit } from '../../exit-codes.ts';
import { askAboutRules, problemsIn } from '../../policy-answer.ts';
import { printProblems } from '../../render/policy.ts';
import { UsageError } from '../../usage-error.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const files = invocation.arguments.map((file) => resolve(file));
  if (files.length === 0) {
    throw new UsageError('name a file or a folder of rules', '`palyra policy check draft/`');
  }
  const layer = invocation.flags.has('workspace') ? 'workspace' : 'operator';
  const answer = await askAboutRules(invocation.shell, ['check', layer, ...files]);
  const problems = problemsIn(answer);
  const rules = typeof answer['rules'] === 'number' ? answer['rules'] : 0;
  if (wantsJson(invocation)) {
    const shown = problems.map((problem) => wireJson(PolicyProblemSchema, problem));
    terminal.json('check', { isValid: problems.length === 0, rules, problems: shown });
  } else if (problems.length === 0) {
    const mark = terminal.paint('good', terminal.symbols.done);
    terminal.print(`${mark} ${plural(rules, 'rule')} can be taken`);
  } else {
    printProblems(terminal, problems);
  }
  return problems.length === 0 ? 'ok' : 'config';
}
