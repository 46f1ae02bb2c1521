import { PalyraError } from '@palyra/kernel';
import { PolicyDifferenceSchema } from '@palyra/protocol';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { COMPARING, candidateOf } from '../../policy-candidate.ts';
import { printDifference } from '../../render/policy-difference.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const [old, candidate] = await Promise.all([
    candidateOf(argument(invocation, 0)),
    candidateOf(argument(invocation, 1)),
  ]);
  terminal.progress('comparing…');
  const { difference } = await daemonOf(invocation.shell)
    .policy.comparePolicies({ old, new: candidate }, COMPARING)
    .finally(() => terminal.progress(''));
  if (difference === undefined) {
    throw new PalyraError('UNEXPECTED', 'the gateway answered without a difference');
  }
  if (wantsJson(invocation)) {
    terminal.json('difference', { difference: wireJson(PolicyDifferenceSchema, difference) });
  } else {
    printDifference(terminal, difference);
  }
  return difference.gains.length > 0 ? 'widened' : 'ok';
}
