import { ApplyPolicyResponseSchema } from '@palyra/protocol';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { COMPARING, candidateOf } from '../../policy-candidate.ts';
import { printDifference } from '../../render/policy-difference.ts';
import { inline } from '../../render/words.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const candidate = await candidateOf(argument(invocation, 0));
  const iMeanIt = invocation.flags.has('i-mean-it');
  terminal.progress('comparing with what is in force…');
  const answer = await daemonOf(invocation.shell)
    .policy.applyPolicy({ candidate, iMeanIt }, COMPARING)
    .finally(() => terminal.progress(''));
  if (wantsJson(invocation)) {
    terminal.json('applied', { applied: wireJson(ApplyPolicyResponseSchema, answer) });
    return 'ok';
  }
  if (answer.difference !== undefined) printDifference(terminal, answer.difference);
  else terminal.print('what it changes is not told: comparing took too long');
  const mark = terminal.paint('good', terminal.symbols.done);
  terminal.print(`\n${mark} in force now: ${inline(answer.policySetHash)}`);
  return 'ok';
}
