import { plural } from '@palyra/client';
import {
  DecisionKind,
  type EntityRef,
  type PolicyGate,
  PolicyLayer,
  type PolicyProblem,
  type PolicyRule,
} from '@palyra/protocol';
import type { Terminal, Tone } from '../terminal.ts';
import { printTable } from './layout.ts';
import { inline, roleWord } from './words.ts';

/** Contract: `undefined` for what no layer is called. */
export function layerNamed(word: string): PolicyLayer | undefined {
  return [...LAYER_WORDS].find(([, known]) => known === word)?.[0];
}

export const layerNames = (): readonly string[] => [...LAYER_WORDS.values()];

export function layerWord(layer: PolicyLayer): string {
  return LAYER_WORDS.get(layer) ?? `unknown (${layer})`;
}

const LAYER_WORDS: ReadonlyMap<PolicyLayer, string> = new Map([
  [PolicyLayer.BUILT_IN, 'built-in'],
  [PolicyLayer.ADMIN, 'admin'],
  [PolicyLayer.OPERATOR, 'operator'],
  [PolicyLayer.WORKSPACE, 'workspace'],
]);

/** `built-in/status.cedar:3`; a file that a person named is shown as the path that it is. */
export function placeOf({ layer, file, line }: PolicyRule | PolicyProblem): string {
  const path = file.startsWith('/') ? file : `${layerWord(layer)}/${file}`;
  // What is wrong with a file as a whole stands on no line.
  return inline(line === 0 ? path : `${path}:${line}`);
}

/** What a rule does, in a word. */
export function effectWord({ effect, annotations }: PolicyRule): string {
  if (annotations['hard'] !== undefined) return 'never';
  if (annotations['gate'] !== undefined) return 'asks';
  return effect === 'permit' ? 'allows' : 'forbids';
}

export function decisionWord(kind: DecisionKind): string {
  switch (kind) {
    case DecisionKind.ALLOW:
      return 'allowed';
    case DecisionKind.NEEDS_APPROVAL:
      return 'a person decides';
    case DecisionKind.DENY:
    case DecisionKind.UNSPECIFIED:
  }
  // What is not known to be a yes is a no.
  return 'denied';
}

export function decisionTone(kind: DecisionKind): Tone {
  if (kind === DecisionKind.ALLOW) return 'good';
  return kind === DecisionKind.NEEDS_APPROVAL ? 'warning' : 'bad';
}

export function printRules(terminal: Terminal, rules: readonly PolicyRule[]): void {
  printTable(
    terminal,
    ['rule', 'does', 'where', 'says'],
    rules.map((rule) => [
      inline(rule.id),
      effectWord(rule),
      placeOf(rule),
      inline(rule.annotations['says'] ?? ''),
    ]),
  );
}

export function printProblems(terminal: Terminal, problems: readonly PolicyProblem[]): void {
  const { paint, symbols } = terminal;
  for (const problem of problems) {
    const column = problem.line === 0 ? '' : `:${problem.column}`;
    const place = `${placeOf(problem)}${column}`;
    terminal.print(`${paint('bad', symbols.failed)} ${paint('strong', place)}`);
    terminal.print(`  ${inline(problem.reason)}`);
    if (problem.help !== '') terminal.print(`  ${paint('quiet', `try: ${inline(problem.help)}`)}`);
  }
}

/** `2 admins with a passkey within 300 s` */
export function gateWords({ approvers, quorum, strength, waitSeconds }: PolicyGate): string {
  const people = plural(quorum, roleWord(approvers));
  const how = strength === 'passkey' ? ' with a passkey' : '';
  return `${people}${how} within ${waitSeconds} s`;
}

/** `User "01J…"` */
export function entityWords(entity: EntityRef | undefined): string {
  return entity === undefined ? '' : inline(`${entity.type}::"${entity.id}"`);
}
