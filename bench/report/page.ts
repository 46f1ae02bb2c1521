import type { Outcome } from '../outcome.ts';
import { summarise } from '../summary.ts';
import { amount, limitWords, subjectWords, withUnit } from './numbers.ts';
import { type MeasuredFigure, type Report, verdictsOf } from './report.ts';
import { type Column, table } from './table.ts';

/** docs/benchmarks.md. `picture` is a path from there. */
export function page(report: Report, picture: string): string {
  return `${[
    '# Benchmarks',
    'Written by `npm run bench`; [bench/README.md](../bench/README.md) tells how to read it. Every ratio is between two things that were measured in turns within one run; medians decide, or the 95th percentile where a line says so.',
    `![How much of each target is used](${picture})`,
    targetTable(report),
    `Measured on ${report.date} at commit ${report.commit}, in ${totalSeconds(report)} s. Machine: ${report.machine}.`,
    '## What was measured',
    'Of a time the best is the lowest, of a rate the highest; 95 of 100 rounds were as good as `p95` or better. `load` is the load average of the minute before; `parent` is the resident memory of the process that measured, at its end.',
    ...report.figures.flatMap(section),
  ].join('\n\n')}\n`;
}

/** The same for a terminal. */
export function summary(report: Report): string {
  const warning = 'Small counts, one round: this shows that the figures work and nothing else.';
  return [
    ...report.figures.flatMap(section),
    targetTable(report),
    ...(report.scale === 'small' ? [warning] : []),
  ].join('\n\n');
}

function targetTable(report: Report): string {
  const columns: readonly Column[] = [
    { title: 'what', align: 'left' },
    { title: 'against', align: 'left' },
    { title: 'measured', align: 'right' },
    { title: 'by best rounds', align: 'right' },
    { title: 'target', align: 'right' },
    { title: '', align: 'left' },
  ];
  return table(columns, verdictsOf(report).map(verdictRow));
}

function verdictRow(verdict: Outcome['verdicts'][number]): readonly string[] {
  const { target, unit, decisive, byBest, isMet } = verdict;
  return [
    subjectWords(target),
    againstWords(target),
    withUnit(decisive, unit),
    withUnit(byBest, unit),
    limitWords(target.limit, unit),
    isMet ? 'met' : '**missed**',
  ];
}

function againstWords(target: Outcome['verdicts'][number]['target']): string {
  switch (target.kind) {
    case 'ratio':
      return target.baseline;
    case 'difference':
      return `beyond ${target.baseline}`;
    case 'value':
      return '';
  }
}

function section(figure: MeasuredFigure): readonly string[] {
  const facts = `load ${figure.loadBefore.toFixed(2)}, parent ${amount(figure.parentRssMb)} MB, ${Math.round(figure.seconds)} s`;
  return [
    `### ${figure.name}`,
    [figure.says, ...figure.notes, `(${facts})`].join(' '),
    ...figure.runs.map(runTable),
  ];
}

function runTable({ title, quantity, series }: Outcome['runs'][number]): string {
  const rounds = Object.values(series)[0]?.length ?? 0;
  const columns: readonly Column[] = [
    { title: `${title} (${rounds} rounds)`, align: 'left' },
    { title: `best ${quantity.unit}`, align: 'right' },
    { title: 'median', align: 'right' },
    { title: 'p95', align: 'right' },
  ];
  const rows = Object.entries(series).map(([name, samples]) => {
    const { best, median, p95 } = summarise(samples, quantity);
    return [name, amount(best), amount(median), amount(p95)];
  });
  return table(columns, rows);
}

function totalSeconds({ figures }: Report): number {
  return Math.round(figures.reduce((sum, { seconds }) => sum + seconds, 0));
}
