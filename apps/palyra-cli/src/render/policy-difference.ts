import { gainWord, plural } from '@palyra/client';
import type { PolicyDifference, PolicyGain } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { printFields, printTable } from './layout.ts';
import { inline } from './words.ts';

/** What changes, gains first: they are what somebody has to mean. */
export function printDifference(terminal: Terminal, difference: PolicyDifference): void {
  const { addedRules, removedRules, changedRules, gains, losses, questions, leftOut } = difference;
  printFields(terminal, [
    ['added', list(addedRules)],
    ['removed', list(removedRules)],
    ['changed', list(changedRules)],
    ['tried', plural(questions, 'question')],
  ]);
  printSampled(terminal, leftOut);
  printGains(terminal, { title: 'gained', tone: 'warning', gains });
  printGains(terminal, { title: 'lost', tone: 'quiet', gains: losses });
  if (gains.length === 0) {
    terminal.print(`\n${terminal.paint('good', terminal.symbols.done)} nobody gains anything`);
  }
}

function printSampled(terminal: Terminal, leftOut: number): void {
  if (leftOut === 0) return;
  const count = plural(leftOut, 'question');
  const verb = leftOut === 1 ? 'was' : 'were';
  terminal.print(`\n${terminal.paint('warning', 'sampled')}: ${count} ${verb} left out`);
}

interface Gains {
  readonly title: 'gained' | 'lost';
  readonly tone: 'warning' | 'quiet';
  readonly gains: readonly PolicyGain[];
}

function printGains(terminal: Terminal, { title, tone, gains }: Gains): void {
  if (gains.length === 0) return;
  terminal.print(`\n${terminal.paint(tone, title)}`);
  printTable(
    terminal,
    ['what kind', 'who', 'what', 'rules'],
    gains.map((gain) => [
      gainWord(gain.kind, title),
      inline(gain.principal),
      inline(gain.what),
      list(gain.ruleIds),
    ]),
  );
}

function list(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : inline(ids.join(', '));
}
