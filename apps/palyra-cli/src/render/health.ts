import { plural } from '@palyra/client';
import type { GetHealthResponse, PolicyHealth } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { type Field, wrap } from './layout.ts';
import { inline } from './words.ts';

export function modelWords(health: GetHealthResponse): string {
  // Said in our words whatever it calls itself: a script must not be taken for a model.
  return health.modelIsScript ? 'a script, not a language model' : inline(health.model);
}

/** What people need to know to use the gateway. */
export function gatewayFields(health: GetHealthResponse): readonly Field[] {
  return [
    ['devices', health.endpoints.map(inline).join(', ')],
    ['console', health.console === '' ? 'switched off' : inline(health.console)],
    ['model', modelWords(health)],
    ['workspace', [health.workspace, ...health.furtherWorkspaces].map(inline).join(', ')],
    ['profile', inline(health.profile)],
    ['policy', policyWords(health.policy)],
  ];
}

/** Why it takes no work, and what to do about it. */
export function faultFields({ fault }: GetHealthResponse): readonly Field[] {
  if (fault === undefined) return [];
  return [
    ['why', inline(fault.message)],
    ['try', inline(fault.help)],
  ];
}

/** Enough of a hash to tell two sets of rules apart at a glance. */
const SHORT_HASH = 12;

function policyWords(policy: PolicyHealth | undefined): string {
  if (policy === undefined) return 'unknown';
  const { mode, rules, policySetHash, problems } = policy;
  const set = `${plural(rules, 'rule')}, set ${inline(policySetHash).slice(0, SHORT_HASH)}`;
  const refused = problems.length === 0 ? '' : `, ${plural(problems.length, 'problem')}`;
  return `${inline(mode)}${MODE_NOTES.get(mode) ?? ''}, ${set}${refused}`;
}

/** What people are apt to expect more of. */
const MODE_NOTES: ReadonlyMap<string, string> = new Map([
  ['auto', ' (spares programs in a proven tier C without network, and file changes)'],
]);

/** What was not taken when the rules were last read; the set in force is an older one then. */
export function printPolicyProblems(terminal: Terminal, { policy }: GetHealthResponse): void {
  if (policy === undefined || policy.problems.length === 0) return;
  terminal.print(`\n  ${terminal.paint('strong', 'rules that were refused')}`);
  for (const problem of policy.problems) {
    const mark = terminal.paint('bad', terminal.symbols.warning);
    for (const [place, line] of wrap(inline(problem), terminal.width - 6).entries()) {
      terminal.print(`  ${place === 0 ? mark : ' '} ${line}`);
    }
  }
  terminal.print(
    `    ${terminal.paint('quiet', 'try: correct them, then `palyra policy reload`')}`,
  );
}

export function printMissing(terminal: Terminal, health: GetHealthResponse): void {
  if (health.missing.length === 0) return;
  terminal.print(`\n  ${terminal.paint('strong', 'missing')}`);
  for (const { name, reason, help } of health.missing) {
    const mark = terminal.paint('warning', terminal.symbols.warning);
    const lines = wrap(`${inline(name)}: ${inline(reason)}`, terminal.width - 6);
    for (const [place, line] of lines.entries()) {
      terminal.print(`  ${place === 0 ? mark : ' '} ${line}`);
    }
    if (help === '') continue;
    for (const line of wrap(`try: ${inline(help)}`, terminal.width - 6)) {
      terminal.print(`    ${terminal.paint('quiet', line)}`);
    }
  }
}
