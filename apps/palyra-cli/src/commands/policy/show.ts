import { PalyraError, quote, visibleText } from '@palyra/kernel';
import { type PolicyRule, PolicyRuleSchema } from '@palyra/protocol';
import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printFields } from '../../render/layout.ts';
import { effectWord, placeOf } from '../../render/policy.ts';
import { inline } from '../../render/words.ts';
import type { Terminal } from '../../terminal.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const id = argument(invocation, 0);
  const policySetHash = invocation.text.get('set') ?? '';
  const { rules } = await daemonOf(invocation.shell).policy.getPolicy({ policySetHash });
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) {
    throw new PalyraError('NOT_FOUND', `there is no rule ${quote(id)}`, {
      help: '`palyra policy list` shows every rule',
    });
  }
  if (wantsJson(invocation)) terminal.json('rule', { rule: wireJson(PolicyRuleSchema, rule) });
  else printRule(terminal, rule);
  return 'ok';
}

function printRule(terminal: Terminal, rule: PolicyRule): void {
  terminal.print(`${terminal.paint('strong', inline(rule.id))}  ${effectWord(rule)}\n`);
  printFields(terminal, [
    ['says', inline(rule.annotations['says'] ?? '')],
    ['where', placeOf(rule)],
  ]);
  terminal.print(`\n${visibleText(rule.text).replaceAll(/^/gm, '  ')}`);
}
