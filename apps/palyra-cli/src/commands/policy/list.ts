import { plural } from '@palyra/client';
import { quote } from '@palyra/kernel';
import { GetPolicyResponseSchema, type PolicyLayer } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printFields } from '../../render/layout.ts';
import { layerNamed, layerNames, printProblems, printRules } from '../../render/policy.ts';
import { inline, shortTime } from '../../render/words.ts';
import { UsageError } from '../../usage-error.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const layer = layerOf(invocation);
  const answer = await daemonOf(invocation.shell).policy.getPolicy({});
  const rules = answer.rules.filter(({ layer: of }) => layer === undefined || of === layer);
  if (wantsJson(invocation)) {
    terminal.json('policy', { policy: wireJson(GetPolicyResponseSchema, { ...answer, rules }) });
    return 'ok';
  }
  printFields(terminal, [
    ['mode', inline(answer.mode)],
    ['rules', plural(answer.rules.length, 'rule')],
    ['set', inline(answer.policySetHash)],
    ['since', shortTime(answer.changedAt)],
    ...(answer.shadowHash === '' ? [] : [['shadow', inline(answer.shadowHash)] as const]),
  ]);
  terminal.print('');
  printRules(terminal, rules);
  if (answer.problems.length > 0) {
    terminal.print(`\n${terminal.paint('warning', 'not taken, so not among the rules above:')}`);
    printProblems(terminal, answer.problems);
  }
  return 'ok';
}

function layerOf(invocation: Invocation): PolicyLayer | undefined {
  const word = invocation.text.get('layer');
  if (word === undefined) return undefined;
  const layer = layerNamed(word);
  if (layer !== undefined) return layer;
  throw new UsageError(`there is no layer ${quote(word)}`, `one of ${layerNames().join(', ')}`);
}
