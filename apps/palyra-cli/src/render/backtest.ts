import { type BacktestReport, type ChangedDecisions, DecisionKind } from '@palyra/protocol';
import type { Exit } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { printFields, printTable } from './layout.ts';
import { decisionWord } from './policy.ts';
import { inline } from './words.ts';

export function printBacktest(terminal: Terminal, report: BacktestReport): void {
  printFields(terminal, [
    ['candidate', inline(report.candidateHash)],
    ['calls', `${report.calls}`],
    ['unchanged', `${report.unchanged}`],
    ['widened', `${report.widened}`],
    ['narrowed', `${report.narrowed}`],
    ['skipped', skippedWords(report.skipped)],
    ...(report.unjudged === 0n ? [] : [['not judged', unjudgedWords(report.unjudged)] as const]),
  ]);
  if (report.changes.length === 0) {
    const among = report.unjudged === 0n ? '' : ' among those that could be judged';
    terminal.print(
      `\n${terminal.paint('good', terminal.symbols.done)} no decision changes${among}`,
    );
    return;
  }
  terminal.print('');
  printTable(
    terminal,
    ['calls', 'tool', 'who', 'was', 'would be', 'because of', 'for example'],
    report.changes.map(cells),
  );
  if (report.others > 0n) {
    terminal.print(`\nand ${report.others} more that changed otherwise, too many kinds to tell`);
  }
}

function cells(change: ChangedDecisions): readonly string[] {
  return [
    `${change.count}`,
    inline(change.tool),
    inline(change.principal),
    decisionWord(change.before),
    afterWords(change),
    inline(change.ruleIds.join(', ')) || 'no rule',
    inline(change.examples[0] ?? ''),
  ];
}

function afterWords({ before, after, widened }: ChangedDecisions): string {
  const isShort = !widened && before === after && after === DecisionKind.NEEDS_APPROVAL;
  if (isShort) return 'needs another approval';
  return `${decisionWord(after)}${widened ? ' (wider)' : ''}`;
}

export function exitOfBacktest({ widened }: BacktestReport): Exit {
  return widened > 0n ? 'widened' : 'ok';
}

function unjudgedWords(unjudged: bigint): string {
  return `${unjudged}, which cannot be judged with the schema of the candidate: they are of another day's`;
}

function skippedWords(skipped: bigint): string {
  return skipped === 0n
    ? '0'
    : `${skipped}, which never reached the rules: their arguments were bad`;
}
