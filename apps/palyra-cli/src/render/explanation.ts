import { visibleText } from '@palyra/kernel';
import { DecisionKind, type PolicyExplanation, type PolicyRequest } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { printFields, wrap } from './layout.ts';
import {
  decisionTone,
  decisionWord,
  effectWord,
  entityWords,
  gateWords,
  placeOf,
} from './policy.ts';
import { contextFields, entityFields } from './policy-context.ts';
import { inline } from './words.ts';

/** A decision as a person would tell it, then the rules. */
export function printExplanation(terminal: Terminal, explanation: PolicyExplanation): void {
  const { paint } = terminal;
  const { kind, reason, help, request } = explanation;
  terminal.print(`${paint(decisionTone(kind), decisionWord(kind))}: ${inline(reason)}`);
  if (request !== undefined) printRequest(terminal, request);
  printList(terminal, 'missing', explanation.missing);
  printList(terminal, 'errors', explanation.errors);
  printGates(terminal, explanation);
  printDecidingRules(terminal, explanation);
  printSmallestRule(terminal, explanation);
  if (help !== '') terminal.print(`\n${paint('quiet', `try: ${inline(help)}`)}`);
  const set = inline(explanation.policySetHash).slice(0, 12);
  const sources = [set === '' ? '' : `set ${set}`, inline(explanation.engine)];
  const told = sources.filter((source) => source !== '').join(', ');
  if (told !== '') terminal.print(paint('quiet', told));
}

function printRequest(terminal: Terminal, request: PolicyRequest): void {
  const { principal, action, resource, context } = request;
  terminal.print('');
  printFields(terminal, [
    ['who', entityWords(principal)],
    ['does', inline(action)],
    ['with', entityWords(resource)],
  ]);
  const fields = [...entityFields(request), ...contextFields(context ?? {})];
  if (fields.length === 0) return;
  terminal.print(`\n${terminal.paint('strong', 'what the rules saw')}`);
  printFields(terminal, fields);
}

function printList(terminal: Terminal, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  terminal.print(`\n${terminal.paint('strong', title)}`);
  for (const line of lines) {
    const [first = '', ...rest] = wrap(inline(line), Math.max(terminal.width - 4, 20));
    terminal.print(`  ${terminal.symbols.none} ${first}`);
    for (const more of rest) terminal.print(`    ${more}`);
  }
}

/** Only what waits can still be answered. */
function printGates(terminal: Terminal, { kind, gates }: PolicyExplanation): void {
  const isWaiting = kind === DecisionKind.NEEDS_APPROVAL;
  printList(
    terminal,
    isWaiting ? 'who must say yes' : 'who had to say yes',
    gates.map((gate) => `${gate.ruleId} (${gate.severity}): ${gateWords(gate)}`),
  );
}

function printDecidingRules(terminal: Terminal, { kind, rules }: PolicyExplanation): void {
  if (rules.length === 0) return;
  // A call can be denied by what is no rule, such as a person or the end of its run.
  const isOverruled =
    kind === DecisionKind.DENY && rules.every(({ effect }) => effect === 'permit');
  const title = isOverruled ? 'rules that would have let it through' : 'rules that decided';
  terminal.print(`\n${terminal.paint('strong', title)}`);
  for (const rule of rules) {
    const says = inline(rule.annotations['says'] ?? '');
    terminal.print(
      `  ${inline(rule.id)} ${effectWord(rule)}  ${terminal.paint('quiet', placeOf(rule))}`,
    );
    if (says !== '') terminal.print(`    ${says}`);
  }
}

function printSmallestRule(terminal: Terminal, explanation: PolicyExplanation): void {
  const { smallestRule, smallestRuleEffect } = explanation;
  if (smallestRule === '') return;
  const title = `the smallest rule that changes this: ${inline(smallestRuleEffect)}`;
  terminal.print(`\n${terminal.paint('strong', title)}`);
  terminal.print(visibleText(smallestRule).trimEnd().replaceAll(/^/gm, '  '));
}
