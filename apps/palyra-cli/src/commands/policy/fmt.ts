import { resolve } from 'node:path';
import { type Invocation, wantsJson } from '../../command.ts';
import { textOf } from '../../config-answer.ts';
import type { Exit } from '../../exit-codes.ts';
import { askAboutRules, objectsIn, problemsIn } from '../../policy-answer.ts';
import { printProblems } from '../../render/policy.ts';
import { UsageError } from '../../usage-error.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const files = invocation.arguments.map((file) => resolve(file));
  if (files.length === 0) {
    throw new UsageError('name a file of rules', '`palyra policy fmt draft/team.cedar`');
  }
  const how = invocation.flags.has('check') ? 'check' : 'write';
  const answer = await askAboutRules(invocation.shell, ['fmt', how, ...files]);
  const problems = problemsIn(answer);
  const changed = objectsIn(answer, 'files').filter((file) => file['changed'] === true);
  if (wantsJson(invocation)) {
    terminal.json('fmt', { files: answer['files'], problems: answer['problems'] });
  } else {
    printProblems(terminal, problems);
    const word = how === 'check' ? 'would change' : 'changed';
    for (const file of changed) terminal.print(`${word}: ${textOf(file, 'file')}`);
  }
  if (problems.length > 0) return 'config';
  return how === 'check' && changed.length > 0 ? 'failure' : 'ok';
}
