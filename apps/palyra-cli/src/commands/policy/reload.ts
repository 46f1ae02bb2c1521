import { ReloadPolicyResponseSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printProblems } from '../../render/policy.ts';
import { inline } from '../../render/words.ts';
import { wireJson } from '../../wire-json.ts';

/** Every rule there is is read and checked, on a small machine for a while. */
const RELOADING = { timeoutMs: 60_000 } as const;

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const answer = await daemonOf(invocation.shell).policy.reloadPolicy({}, RELOADING);
  const isRefused = answer.problems.length > 0;
  if (wantsJson(invocation)) {
    terminal.json('reload', { reload: wireJson(ReloadPolicyResponseSchema, answer) });
  } else {
    const what = answer.changed ? 'in force now' : 'unchanged';
    const { paint, symbols } = terminal;
    const mark = isRefused ? paint('warning', symbols.warning) : paint('good', symbols.done);
    terminal.print(`${mark} ${what}: ${inline(answer.policySetHash)}`);
    if (isRefused) terminal.print(`\n${terminal.paint('warning', 'not taken:')}`);
    printProblems(terminal, answer.problems);
  }
  return isRefused ? 'config' : 'ok';
}
